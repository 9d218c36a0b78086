/** From so many jobs on, a share is shown in percent: below, each job would move it by more than a fifth. */
export const PERCENT_FROM = 5

/** A share of counted jobs: in percent where there are enough of them, else by how many it is, else nothing to go by. */
export type ShareOfJobs =
  | { kind: 'new' }
  | { kind: 'count'; part: number; of: number }
  | { kind: 'percent'; percent: number; of: number }

/** The one rule for every card, profile and comparison. `rate` is of 0 to 1, null without any job. */
export function shareOfJobs(rate: number | null, of: number): ShareOfJobs {
  if (rate === null || of === 0) return { kind: 'new' }
  if (of < PERCENT_FROM) return { kind: 'count', part: Math.round(rate * of), of }
  return { kind: 'percent', percent: percentOf(rate), of }
}

/** Rounded, but all and none are said only where they are true. */
function percentOf(rate: number): number {
  if (rate === 0 || rate === 1) return rate * 100
  return Math.min(99, Math.max(1, Math.round(rate * 100)))
}

/** In two parts, of which the first carries the weight: "92%" "of 40", "1" "of 2", "New" without any. */
export function shareWords(rate: number | null, of: number): { value: string; behind: string } {
  const share = shareOfJobs(rate, of)
  if (share.kind === 'new') return { value: 'New', behind: '' }
  const value = share.kind === 'count' ? share.part.toLocaleString('en') : `${share.percent}%`
  return { value, behind: `of ${share.of.toLocaleString('en')}` }
}
