// How a figure of points is written for people.
import { common } from '../words/common'

/** "-0.4" as the service says it, with the language's comma and a minus that is as wide as a plus. */
export function written(decimal: string): string {
  return decimal.replace('-', '−').replace('.', common.comma)
}
