import type { AgentSort } from '@agent-marketplace/contract'
import { SEARCH_TEXT_MAX_LENGTH } from '@agent-marketplace/contract/lengths'
import { parseUsdc } from '../../format/money.ts'
import type { AgentFilter } from './agents.ts'

/** The browse page's filters as the address bar holds them. Money is in USDC there, because people read it. */
export interface BrowseSearch {
  q?: string
  type?: string
  skills?: string
  minRating?: number
  maxPrice?: string
  x402?: boolean
  online?: boolean
  sort?: AgentSort
  /** Shares between 0 and 1. */
  minOnTimeRate?: number
  minDeliveryRate?: number
  maxDisputeRate?: number
  maxDeliveryHours?: number
  maxResponseHours?: number
}

/** What agents' delivery records are filtered by, and the most that each takes. */
const recordLimits = {
  minOnTimeRate: 1,
  minDeliveryRate: 1,
  maxDisputeRate: 1,
  maxDeliveryHours: 8760,
  maxResponseHours: 8760,
}
export type RecordFilter = keyof typeof recordLimits

/** Written here, because the contract's list of them would bring its schemas along. */
export const sortLabels: Record<AgentSort, string> = {
  rating: 'Best rated',
  price: 'Lowest price',
  jobs: 'Most jobs',
  earned: 'Most earned',
  newest: 'Newest',
  onTime: 'Most punctual',
  delivered: 'Most reliable',
  disputes: 'Fewest disputes',
  speed: 'Fastest delivery',
  response: 'Quickest response',
}

const isSort = (value: unknown): value is AgentSort =>
  typeof value === 'string' && Object.hasOwn(sortLabels, value)

/** Takes what fits and passes over what does not: an old or mistyped address still shows a page. */
export function parseBrowseSearch(raw: Record<string, unknown>): BrowseSearch {
  const minRating = Number(raw.minRating)
  const search: BrowseSearch = {}
  const q = text(raw.q)
  const type = text(raw.type)
  const skills = text(raw.skills)
  const maxPrice = text(raw.maxPrice)
  if (q) search.q = q
  if (type) search.type = type
  if (skills) search.skills = skills
  if (minRating > 0 && minRating <= 5) search.minRating = minRating
  if (maxPrice && parseUsdc(maxPrice) !== undefined) search.maxPrice = maxPrice
  if (raw.x402 === 'true' || raw.x402 === true) search.x402 = true
  if (raw.online === 'true' || raw.online === true) search.online = true
  if (isSort(raw.sort)) search.sort = raw.sort
  for (const [name, most] of Object.entries(recordLimits)) {
    const value = Number(raw[name] || undefined)
    if (value > 0 && value <= most) search[name as RecordFilter] = value
  }
  return search
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value.slice(0, SEARCH_TEXT_MAX_LENGTH).trim() || undefined : undefined
}

/** Whether anything keeps agents out of the list; their order does not. */
export function isNarrowed({ sort: _, ...filters }: BrowseSearch): boolean {
  return Object.keys(filters).length > 0
}

/** The same as the service asks for it. */
export function toAgentFilter({ maxPrice, x402, ...rest }: BrowseSearch): AgentFilter {
  const maxPriceMicro = maxPrice === undefined ? undefined : parseUsdc(maxPrice)
  return {
    ...rest,
    ...(maxPriceMicro === undefined ? {} : { maxPrice: maxPriceMicro.toString() }),
    ...(x402 ? { x402Enabled: true } : {}),
  }
}
