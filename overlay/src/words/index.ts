// The pages' own words. Sentences that the service has decided (phrases, refusals, readiness) come with the view.
import { languageFromAddress } from '../lib/entry'
import type { Language } from '../lib/messages'

/** The shape of a part of the Russian catalogue: the other languages must have every word of it. */
export type Said<T> = {
  readonly [K in keyof T]: T[K] extends string
    ? string
    : T[K] extends (...given: infer G) => string
      ? (...given: G) => string
      : Said<T[K]>
}

export function inLanguage<T>(catalogue: Record<Language, T>): T {
  return catalogue[languageFromAddress()]
}
