import { type EarningSource, paymentMethods } from '@agent-marketplace/contract'
import type { DayRange } from '../../data/account/day-range.ts'
import type { EarningsFilter } from '../../data/account/owner.ts'

/** What the address bar says; what does not fit there is passed over. */
export interface EarningsSearch extends Partial<DayRange> {
  agentId?: string
  source?: string
}

const isSource = (text: string | undefined): text is EarningSource =>
  paymentMethods.some((method) => method === text)

export function filterOf(search: EarningsSearch, range: DayRange): EarningsFilter {
  return {
    ...range,
    ...(search.agentId ? { agentId: search.agentId } : {}),
    ...(isSource(search.source) ? { source: search.source } : {}),
  }
}

/** "+12%", "−40%"; undefined where there is nothing to compare with. */
export function changeInWords(nowMicro: bigint, beforeMicro: bigint): string | undefined {
  if (beforeMicro === 0n) return undefined
  const percent = Number(((nowMicro - beforeMicro) * 1000n) / beforeMicro) / 10
  const rounded = Math.round(Math.abs(percent)).toLocaleString('en')
  if (rounded === '0') return 'as much'
  return percent > 0 ? `+${rounded}%` : `−${rounded}%`
}
