import { type EarningSort, type EarningSource, paymentMethods } from '@agent-marketplace/contract'
import type { DayRange } from '../../data/account/day-range.ts'
import type { EarningsFilter } from '../../data/account/owner.ts'
import { searchedText } from '../../data/lists/searched-words.ts'

/** What the address bar says; what does not fit there is passed over. */
export interface EarningsSearch extends Partial<DayRange> {
  agentId?: string
  source?: string
  q?: string
  order?: string
}

const isSource = (text: string | undefined): text is EarningSource =>
  paymentMethods.some((method) => method === text)

export function filterOf(search: EarningsSearch, range: DayRange): EarningsFilter {
  return {
    ...range,
    ...(search.agentId ? { agentId: search.agentId } : {}),
    ...(isSource(search.source) ? { source: search.source } : {}),
    ...(search.q ? { q: searchedText(search.q) } : {}),
  }
}

/** The orders of the list, the usual one first. */
export const sortWords: Record<EarningSort, string> = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  highest: 'Highest amount',
  lowest: 'Lowest amount',
}

/** An order that there is not is the usual one. */
export const parseSort = (value: string | undefined): EarningSort =>
  value !== undefined && Object.hasOwn(sortWords, value) ? (value as EarningSort) : 'newest'

/** "+12%", "−40%"; undefined where there is nothing to compare with. */
export function changeInWords(nowMicro: bigint, beforeMicro: bigint): string | undefined {
  if (beforeMicro === 0n) return undefined
  const percent = Number(((nowMicro - beforeMicro) * 1000n) / beforeMicro) / 10
  const rounded = Math.round(Math.abs(percent)).toLocaleString('en')
  if (rounded === '0') return 'as much'
  return percent > 0 ? `+${rounded}%` : `−${rounded}%`
}
