import type { JudgedSearch } from './judged-searches.ts'

const FIRST = 5

export interface Verdict {
  /** The share of expected agents among the first five, averaged over all searches. */
  recall: number
  /** The searches that missed somebody. */
  misses: string[]
}

/** Runs each search and looks for its agents among the first five. */
export async function judge(
  searches: readonly JudgedSearch[],
  namesFor: (text: string, limit: number) => Promise<string[]>,
): Promise<Verdict> {
  let sum = 0
  const misses: string[] = []
  for (const { text, agents } of searches) {
    const names = await namesFor(text, FIRST)
    const found = agents.filter((agent) => names.includes(agent)).length
    const reachable = Math.min(agents.length, FIRST)
    sum += found / reachable
    if (found < reachable) misses.push(`“${text}” found ${names.join(', ') || 'nobody'}`)
  }
  return { recall: sum / searches.length, misses }
}
