// The messages of docs/messages.md, as types. Nothing here decides anything.

export type Page = 'judge' | 'office' | 'air' | 'spectator' | 'hall' | 'break' | 'table' | 'producer'
export type Language = 'ru' | 'uk' | 'en'

export type Seat = number
export type Role = 'civilian' | 'mafia' | 'don' | 'sheriff' | 'maniac' | 'beauty' | 'doctor' | 'bomber' | 'avenger'
export type How = 'voted' | 'raised' | 'shot' | 'fouled' | 'removed' | 'maniac' | 'guest' | 'blast' | 'avenged'

export type Envelope<V> = { audience: Page; revision: number; build: string; now: number; view: V }
export type Refusal = {
  code: string
  params: Record<string, string | number>
  clause: string | null
  sentence: string
  /** Where the reason tells a role: for under the cover alone. */
  covered: string | null
}
/** Seconds; `starts_in`: ms until there is anything to show. */
export type Delay = { seconds: number; starts_in: number | null }
export type Answer = { ok: true; revision?: number } | { ok: false; refusal: Refusal }

export type PhaseKind =
  'dealing' | 'acquaintance' | 'night' | 'morning' | 'speech' | 'last_word' | 'voting' | 'dusk' | 'over'
export type Phase = {
  kind: PhaseKind
  round: number
  day: boolean
  step: string | null
  seat: Seat | null
  speech: 'minute' | 'defence' | 'revote' | 'last_word' | null
  silent: boolean
}
export type Timer = {
  id: string
  kind: string
  total: number
  running: boolean
  deadline: number | null
  left: number
}
export type Header = {
  event: string
  stage: string
  game: number
  table: number
  judge: string
  ruleset: string
  games?: number
}
export type Result = { winner: 'red' | 'black' | 'maniac' | 'draw' | null; reason: string; at: string }
export type Nomination = { seat: Seat; by: Seat }

export type HallSeat = {
  seat: Seat
  name: string
  in_play: boolean
  out: { how: How; at: string } | null
  fouls: number
  silent: boolean
  nominated: number | null
  speaking: boolean
}
export type BallotKind = 'ballot' | 'revote' | 'raise'
export type CandidateState = 'waiting' | 'called' | 'open' | 'counting' | 'counted'
export type Window = { opened: number; closes: number }
export type HallVote = {
  kind: BallotKind
  candidates: { seat: Seat | null; state: CandidateState; count: number | null }[]
  window: Window | null
  tied?: Seat[]
}
export type HallView = {
  header: Header
  phase: Phase
  timer: Timer | null
  stopped: boolean
  seats: HallSeat[]
  nominations: Nomination[]
  vote: HallVote | null
  result: Result | null
}

export type AirSeat = HallSeat & {
  role: Role | null
  photo: string | null
  points: string | null
  hand: Seat | 0 | null
}
export type AirCandidate = { seat: Seat | null; state: CandidateState; hands: Seat[]; assigned: Seat[] }
export type AirVote = {
  kind: BallotKind
  candidates: AirCandidate[]
  free: Seat[]
  window: Window | null
  leaves: Seat[] | null
  unsaid: boolean
  tied?: Seat[]
}
export type Check = { by: 'don' | 'sheriff'; seat: Seat; hit: boolean }
export type AirNight = { night: number; shots: Record<string, Seat[]>; killed: Seat[] | null; checks: Check[] }
export type AirDay = { day: number; left: { seat: Seat; how: How }[] }
export type AirView = Omit<HallView, 'seats' | 'vote'> & {
  seats: AirSeat[]
  vote: AirVote | null
  nights: AirNight[]
  days: AirDay[]
  calling: number | null
  best_move: { seat: Seat; numbers: Seat[]; hits: number } | null
  simulated: boolean
  stage: Stage
}
export type LowerThird = { title: string; subtitle: string }
export type FactsBy = 'by_hand' | 'first_day' | 'speeches' | 'last_words'
export type Fact = { seat: Seat; text: string }
export type Replay = { window: string; started_at: number; evidence: Evidence }
/** What the producer has set for the overlay. */
export type Stage = {
  overlay: boolean
  roles: boolean
  scores: boolean
  lifted: Seat | null
  lower_third: LowerThird | null
  fact: Fact | null
  replay: Replay | null
}

export type Proposal = {
  id: string
  seat: Seat
  what: 'early_hand' | 'hand_pulled' | 'several_candidates' | 'not_raised'
  clause: string
  at: string
  answer: 'given' | 'waived' | null
  consequence: string | null
}
/** City: whose night is an act upon seats. */
export type Acting = 'maniac' | 'beauty' | 'doctor' | 'bomber' | 'avenger'
export type Legal = {
  next: boolean
  nominate: Seat[]
  withdraw: boolean
  foul: Seat[]
  warn: Seat[]
  remove: Seat[]
  defeat: Seat[]
  open_window: boolean
  close_window: boolean
  void_window: boolean
  rule: Seat[]
  count: boolean
  shoot: boolean
  kill: boolean
  check: 'don' | 'sheriff' | null
  act: Acting | null
  best_move: Seat | null
  will: Seat | null
  technical: Seat[]
  award: boolean
  penalty: boolean
  protest: boolean
  annul: boolean
  deal: Seat[]
  undo: string | null
  redo: string | null
}
export type Step = {
  do: 'next' | 'open_window' | 'close_window' | 'announce' | 'wait' | 'shoot' | 'kill' | 'none'
  label: string
  detail: string
  blocked: string | null
}
export type Touch = { seat: Seat; down: number; up: number | null }
export type Evidence = {
  ballot: number
  candidate: Seat | 0
  length: number
  touches: Touch[]
  hands: Seat[]
  late: Seat[]
  rulings: { seat: Seat; counts: boolean }[]
  flagged: boolean
}
export type Penalty = 'foul' | 'warning' | 'removal' | 'defeat'
export type Violation = { clause: string; penalty: Penalty; name: string }
export type Link = { device: string; state: 'up' | 'down' | 'connecting'; sentence: string }
export type JudgeSeat = AirSeat & {
  warnings: number
  technical: number
  next_foul: string | null
  lamp: string
  contact: 'up' | 'down' | 'stuck' | 'chattering' | 'lost'
}
export type Walk = {
  step: number
  of: number
  seat: Seat | null
  ask: 'down' | 'up' | 'look' | null
  sentence: string
  faults: string[]
}
export type Sound = {
  ok: boolean
  sentence: string
  playing: boolean
  held: boolean
  muted: boolean
  without: boolean
  volume: number
  limit: number
}
export type Unsaved = { offered: boolean; on: boolean; rows: number; since: number | null }
export type JudgeView = Omit<AirView, 'seats' | 'stage'> & {
  seats: JudgeSeat[]
  phrase: string
  hints: string[]
  calls: string[]
  recorded: boolean
  tonight: string[]
  step: Step
  legal: Legal
  proposals: Proposal[]
  evidence: Evidence[]
  waiting_for: Seat[]
  history: { decision: number; sentence: string; undone: boolean }[]
  violations: Violation[]
  links: Link[]
  readiness: { ok: boolean; sentence: string }[]
  disk: 'ok' | 'slow' | 'failing'
  unsaved: Unsaved
  walk: Walk | null
  sound: Sound | null
  armed: 'foul' | 'nominate' | 'remove' | null
  suggestions: Suggestion[]
  side_gives: boolean
  set_up: SetUpView | null
  aftermath: Aftermath | null
}
export type Suggestion = {
  number: number
  seat: Seat
  what: 'foul' | 'warn' | 'note'
  clause: string | null
  text: string
}
export type SetUpView = {
  rulesets: { name: string; title: string; fewest: number; most: number }[]
  chosen: string
  options: Record<string, string>
  switches: { name: string; on: boolean; sentence: string; geographic: boolean }[]
  schedule: { game: number; stage: string; table: number; players: string[] }[]
}
export type Given = { seat: Seat; points: string; clause: string | null }
export type Aftermath = {
  awards: Given[]
  penalties: Given[]
  protests: { seat: Seat; text: string }[]
  caps: {
    most: string
    total: string | null
    total_approved: string | null
    players: number | null
    players_approved: number | null
  } | null
  protests_timer: Timer | null
  signed: string | null
}
export type HistoryPage = { ok: true; lines: { decision: number; at: string; sentence: string; undone: boolean }[] }
export type Document = { ok: true; name: string; content: string }

export type OfficeView = {
  header: Header
  phase: Phase
  result: Result | null
  links: Link[]
  readiness: { ok: boolean; sentence: string }[]
  disk: 'ok' | 'slow' | 'failing'
}

export type ReplayWindow = { window: string; candidate: Seat | 0; hands: number }
export type ObsOutput = { active: boolean; paused: boolean; seconds: number; skipped: number; total: number }
export type ObsState = {
  state: 'off' | 'seeking' | 'up' | 'down'
  sentence: string
  faults: string[]
  version: string
  program: string | null
  preview: string | null
  studio: boolean
  scenes: string[]
  fps: number
  round_trip: number
  streaming: ObsOutput
  recording: ObsOutput
  replays: boolean
  touched: string[]
}
export type Wheel = {
  held: 'obs' | 'page' | 'cover' | null
  scene: string | null
  next: { id: string; label: string; scene: string; at: number } | null
}
export type ProducerView = {
  header: Header
  phase: Phase
  timer: Timer | null
  stopped: boolean
  now: string
  seats: AirSeat[]
  stage: Stage
  windows: ReplayWindow[]
  obs: ObsState
  wheel: Wheel
  buttons: { short: string; name: string; there: boolean }[]
  delays: { stream: number; in_obs: number | null; spectators: number; own: { name: string; seconds: number }[] }
  facts: { seat: Seat; facts: string[] }[]
  facts_by: FactsBy
  chapters: { at: string; title: string }[]
  clips: { at: string; title: string; path: string }[]
  simulated: boolean
}
/** Program and preview, small, as data URLs. */
export type Pictures = { program: string | null; preview: string | null }
export type ProducerOrder =
  | { do: 'scene' | 'preview'; scene: string }
  | { do: 'transition' | 'release' | 'save_replay' }
  | { do: 'hold' | 'cover' | 'overlay' | 'roles' | 'scores'; on?: boolean }
  | { do: 'skip' | 'go'; step?: string }
  | { do: 'lift'; seat: Seat | null }
  | { do: 'lower_third'; title: string; subtitle: string }
  | { do: 'fact'; seat?: Seat; text?: string }
  | { do: 'facts'; by: FactsBy }
  | { do: 'replay'; window?: string; on?: boolean }
  | { do: 'delay'; stream?: number; spectators?: number; confirmed?: boolean }

export type TableView = {
  seats: { seat: Seat; name: string; in_play: boolean }[]
  keys: string[]
  simulated: boolean
  person: boolean
}
export type Lamp = 'on' | 'off' | 'blink'

/** What a command says, without the id and the revision, which the connection adds. */
export type CommandBody =
  | { do: 'next' | 'void_window' | 'annul' | 'undo' | 'redo' | 'new_game' | 'go_on_unsaved' }
  | { do: 'open_window' | 'close_window' | 'announce' }
  | { do: 'deal'; seat: Seat; role: Role }
  | { do: 'nominate'; by: Seat; seat: Seat }
  | { do: 'withdraw'; by: Seat }
  | { do: 'foul' | 'warn' | 'remove' | 'defeat'; seat: Seat; clause?: string }
  | { do: 'technical'; seat: Seat; heavy: boolean; clause?: string }
  | { do: 'kill'; at?: Seat; choices?: Record<string, Seat> }
  | { do: 'act'; by: Acting; seats: Seat[] }
  | { do: 'call'; seat: Seat | null }
  | { do: 'will'; seat: Seat; named?: Seat; forgotten?: true }
  | { do: 'rule'; candidate: Seat | null; seat: Seat; counts: boolean }
  | { do: 'count'; seats: Seat[] }
  | { do: 'give' | 'waive'; proposal: string }
  | { do: 'shoot'; shots?: Record<string, Seat[]>; miss?: true; at?: Seat }
  | { do: 'check'; by: 'don' | 'sheriff'; seat: Seat | null }
  | { do: 'best_move'; seat: Seat; numbers: Seat[] }
  | { do: 'award'; seat: Seat; points: string; approved: boolean }
  | { do: 'penalty'; seat: Seat; points: string; clause?: string }
  | { do: 'protest'; seat: Seat; text: string }
  | { do: 'replace'; decision: number; with: CommandBody }
  | { do: 'timer'; running: boolean }
  | { do: 'stop'; stopped: boolean }
  | { do: 'selftest'; act: 'start' | 'skip' | 'seen' | 'again' | 'stop'; step?: number }
  | {
      do: 'set_up'
      event: string
      stage: string
      game: number
      table: number
      judge: string
      names: string[]
      ruleset?: string
      options?: Record<string, string>
    }
  | { do: 'suggest'; seat: Seat; what: 'foul' | 'warn' | 'note'; clause?: string; text?: string }
  | { do: 'answer'; suggestion: number; taken: boolean }
  | { do: 'side'; gives: boolean }
  | { do: 'sign' }
  | {
      do: 'position'
      day: boolean
      round: number
      left: [Seat, 'voted' | 'raised' | 'shot' | 'fouled' | 'removed'][]
      fouls: Record<string, number>
      silent: Seat[]
      nominated: Seat[]
      speaker: Seat | null
    }
/** `tapped`: the page's estimate of the service's clock at the tap, ms. */
export type Command = CommandBody & { id: string; revision: number; tapped?: number }

/** What is shown between games. */
export type BreakView = {
  header: Header
  standings: { place: number; name: string; photo: string | null; total: string; games: number; wins: number }[]
  next: {
    game: number
    stage: string
    table: number
    players: { seat: Seat; name: string; photo: string | null }[]
  } | null
}
/** Another `version` than before: `/theme.json` says something else now. */
export type LookNow = { version: string }
/** `/theme.json`: colours are #rrggbb by their names in tokens.css. */
export type Theme = {
  name: string
  colours: Record<string, string>
  night: Record<string, string>
  family: string | null
  faces: Record<string, string>
  logo: string | null
  sponsors: string[]
  side: 'left' | 'right'
  lower_plane: string
  lower_text: string
  safe_x: number
  safe_y: number
}
