// The names of a night's calls as the desk writes them.
import type { JudgeView } from '../lib/messages'
import { words } from '../words/desk'
import { judge } from '../words/judge'

const CHECKS: Record<string, string> = judge.nightSteps
const STEPS: Record<string, string> = words.steps

/** Whose call it is; where the rules have a check, which check. */
export function callName(step: string, view: JudgeView): string {
  if (view.header.ruleset === 'city') return step === 'sheriff' ? words.commissar : (STEPS[step] ?? step)
  return (view.phase.kind === 'night' ? CHECKS[step] : undefined) ?? STEPS[step] ?? step
}
