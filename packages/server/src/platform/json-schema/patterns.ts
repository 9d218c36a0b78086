import { RE2JS } from 're2js'

/**
 * Patterns of strangers run in an engine that never backtracks: its time grows with the pattern's program and the text, and
 * with nothing else. Both are bounded.
 */

const MAX_PATTERN_LENGTH = 200
const MAX_PROGRAM = 300
const MAX_EXPANSION = 5000
export const MAX_MATCHED_LENGTH = 2000
/** Program times text, over all patterns of one check. */
export const MAX_MATCH_STEPS = 50_000

/** What is left to spend on patterns in one check. */
export interface MatchBudget {
  left: number
}

export interface Pattern {
  source: string
  /** Undefined where the text is too long to be matched within the budget. */
  fits(text: string, budget: MatchBudget): boolean | undefined
}

/** The pattern, or what is wrong with it. */
export function readPattern(source: string): Pattern | string {
  if (source.length > MAX_PATTERN_LENGTH) return `must have at most ${MAX_PATTERN_LENGTH} characters`
  if (expansionOf(source) > MAX_EXPANSION) return 'repeats too much'
  let compiled: RE2JS
  try {
    compiled = RE2JS.compile(source)
  } catch {
    return 'must be a pattern of RE2 syntax: no look-around, no back-references'
  }
  const size = compiled.programSize()
  if (size > MAX_PROGRAM) return 'is too large'
  return {
    source,
    fits(text, budget) {
      if (text.length > MAX_MATCHED_LENGTH) return undefined
      budget.left -= size * (text.length + 1)
      return budget.left < 0 ? undefined : compiled.test(text)
    },
  }
}

/** How large the program could become, before it is made: counted repeats copy what they repeat, those of groups in each other. */
function expansionOf(source: string): number {
  let nested = 1
  let single = 1
  for (const [whole, before, from, to] of source.matchAll(/(.?)\{(\d{1,9})(?:,(\d{0,9}))?\}/g)) {
    const times = Math.max(Number(from), Number(to || 0), 1)
    if (before === ')' || whole.startsWith('{')) nested *= times
    else single = Math.max(single, times)
  }
  return source.length * nested * single
}
