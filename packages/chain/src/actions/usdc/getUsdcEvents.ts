import { type Address, type Client, encodeEventTopics, type Hex, type Log, pad } from 'viem'
import { usdcAbi } from '../../abis.ts'
import type { BlockRange } from '../../chainEvent.ts'
import { getRawLogs } from '../transactions/getRawLogs.ts'
import { decodeUsdcEvents, type UsdcTransfer, type UsedAuthorization } from './decodeUsdcEvents.ts'

// Nodes bound how many topics one filter may name, and how many logs one response may carry.
const WALLETS_PER_FILTER = 500
const BLOCKS_WITHOUT_FILTER = 20n
// For so few wallets the node does the choosing; beyond, whatever takes fewer requests.
const FEW_WALLETS = 1_000

const topicOf = (eventName: 'Transfer' | 'AuthorizationUsed'): Hex =>
  encodeEventTopics({ abi: usdcAbi, eventName })[0]
const transferTopic = topicOf('Transfer')
const bothTopics = [transferTopic, topicOf('AuthorizationUsed')]

/**
 * Transfers from or to any of `wallets`, and the authorizations that they gave and somebody used, each once and in the
 * order of the chain; with `'all'` those of every wallet. Thousands of wallets near the head cost one request, because
 * then the whole token is read and chosen from here.
 */
export const getUsdcEvents = async (
  client: Client,
  { usdc, wallets, fromBlock, toBlock }: { usdc: Address; wallets: readonly Address[] | 'all' } & BlockRange,
): Promise<{ transfers: UsdcTransfer[]; authorizations: UsedAuthorization[] }> => {
  const ranges = rangesOf({ fromBlock, toBlock })
  const queries = isFiltered(wallets, ranges.length)
    ? filtersOf(wallets).map((topics) => ({ topics, fromBlock, toBlock }))
    : ranges.map((range) => ({ topics: [bothTopics], ...range }))
  const responses = await Promise.all(queries.map((query) => getRawLogs(client, { address: usdc, ...query })))
  const { transfers, authorizations } = decodeUsdcEvents({ usdc, logs: uniqueInOrder(responses.flat()) })
  const isWatched = membershipOf(wallets)
  return {
    transfers: transfers.filter(({ from, to }) => isWatched(from) || isWatched(to)),
    authorizations: authorizations.filter(({ authorizer }) => isWatched(authorizer)),
  }
}

const isFiltered = (wallets: readonly Address[] | 'all', rangeCount: number): wallets is readonly Address[] =>
  wallets !== 'all' &&
  (wallets.length <= FEW_WALLETS || 2 * Math.ceil(wallets.length / WALLETS_PER_FILTER) <= rangeCount)

/** Payer and authorizer stand at the same position, so that one filter finds both; the payee needs one of its own. */
const filtersOf = (wallets: readonly Address[]): (Hex | Hex[] | null)[][] => {
  const filters: (Hex | Hex[] | null)[][] = []
  for (let start = 0; start < wallets.length; start += WALLETS_PER_FILTER) {
    const named = wallets.slice(start, start + WALLETS_PER_FILTER).map((wallet) => pad(wallet))
    filters.push([bothTopics, named], [transferTopic, null, named])
  }
  return filters
}

const rangesOf = ({ fromBlock, toBlock }: BlockRange): BlockRange[] => {
  const ranges: BlockRange[] = []
  for (let start = fromBlock; start <= toBlock; start += BLOCKS_WITHOUT_FILTER) {
    const end = start + BLOCKS_WITHOUT_FILTER - 1n
    ranges.push({ fromBlock: start, toBlock: end < toBlock ? end : toBlock })
  }
  return ranges
}

const membershipOf = (wallets: readonly Address[] | 'all'): ((address: Address) => boolean) => {
  if (wallets === 'all') return () => true
  const known = new Set(wallets.map((wallet) => wallet.toLowerCase()))
  return (address) => known.has(address.toLowerCase())
}

/** One that touches two wallets is found twice. */
const uniqueInOrder = (logs: Log[]): Log[] => {
  const byPlace = new Map(logs.map((log) => [`${log.blockNumber}:${log.logIndex}`, log]))
  return [...byPlace.values()].sort(
    (a, b) => Number((a.blockNumber ?? 0n) - (b.blockNumber ?? 0n)) || (a.logIndex ?? 0) - (b.logIndex ?? 0),
  )
}
