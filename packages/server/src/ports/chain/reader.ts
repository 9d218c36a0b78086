import {
  type BlockReceipt,
  type ChainClient,
  describeFailure,
  getBlockHeader,
  getBlockLogs,
  getBlockReceipts,
  getEscrowEvents,
  getEscrowRoles,
  getEscrowTotals,
  getJob,
  getSpendPermissionEvents,
  getTransactionOutcome,
  getUsdcBalances,
  getUsdcEvents,
  type LogFilter,
} from '@agent-marketplace/chain'
import { type Contracts, concerns, decodeAll, inOrder, usdcEventsOf } from './decoded-events.ts'
import type { ChainReader, Hex, TransactionOutcome } from './port.ts'

export interface ReaderOptions {
  client: ChainClient
  contracts: Contracts
  spender: Hex
}

type Receipt = Extract<Awaited<ReturnType<typeof getTransactionOutcome>>, { receipt: unknown }>['receipt']

/** The receipts of a full block can be a megabyte. */
const RECEIPTS_AT_ONCE = 10

/** Of more wallets nearly every block's bloom filter seems to name one: looking for each would only cost time. */
const WALLETS_IN_BLOOM = 1_000

/** Blocks, events and outcomes, in the words of the port. */
export function createReader({ client, contracts, spender }: ReaderOptions): ChainReader {
  /** What of a block's logs concerns us: of the token only what names one of the wallets. */
  const filtersFor = (wallets: ReadonlySet<string>): LogFilter[] => [
    { address: contracts.escrow },
    { address: contracts.spendPermissionManager },
    {
      address: contracts.usdc,
      ...(wallets.size <= WALLETS_IN_BLOOM && { topics: [...wallets].map(asTopic) }),
    },
  ]

  /** The receipts that the headers of these blocks commit to, by transaction. */
  const readReceipts = async (blockHashes: Iterable<Hex>): Promise<Map<Hex, BlockReceipt>> => {
    const blocks = await Promise.all(
      [...blockHashes].map(async (blockHash) => {
        const header = await getBlockHeader(client, { blockHash })
        return (header && (await getBlockReceipts(client, { header }))) ?? []
      }),
    )
    return new Map(blocks.flat().map((receipt) => [receipt.transactionHash, receipt]))
  }

  const getOutcomes: ChainReader['getOutcomes'] = async (hashes) => {
    const found = await Promise.all(hashes.map((hash) => getTransactionOutcome(client, { hash })))
    const mined = found.flatMap((outcome) => ('receipt' in outcome ? [outcome.receipt] : []))
    const receipts = await readReceipts(new Set(mined.map(({ blockHash }) => blockHash)))
    const provenOf = ({ transactionHash }: Receipt) => receipts.get(transactionHash)
    const eventsOf = Map.groupBy(
      decodeAll(
        contracts,
        mined.flatMap((receipt) => provenOf(receipt)?.logs ?? []),
      ),
      ({ transactionHash }) => transactionHash,
    )
    return Promise.all(
      found.map(async (outcome): Promise<TransactionOutcome> => {
        if (!('receipt' in outcome)) return { status: outcome.status }
        const { transactionHash: hash, blockNumber, blockHash } = outcome.receipt
        const proven = provenOf(outcome.receipt)
        // Its block does not have it: it says nothing about where the transaction is.
        if (proven === undefined) return { status: 'unknown' }
        const place = { hash, blockNumber, blockHash }
        if (proven.status === 'success')
          return { status: 'success', ...place, events: eventsOf.get(hash) ?? [] }
        return { status: 'reverted', ...place, reason: await explainRevert(client, outcome.receipt) }
      }),
    )
  }

  return {
    getBlock: (block) =>
      getBlockHeader(client, typeof block === 'bigint' ? { blockNumber: block } : { blockTag: block }),

    async getBlockEvents({ headers, wallets }) {
      const filters = filtersFor(wallets)
      const logs: Receipt['logs'] = []
      for (let first = 0; first < headers.length; first += RECEIPTS_AT_ONCE) {
        const blocks = await Promise.all(
          headers
            .slice(first, first + RECEIPTS_AT_ONCE)
            .map((header) => getBlockLogs(client, { header, filters })),
        )
        for (const found of blocks) {
          if (found === undefined) return undefined
          logs.push(...found)
        }
      }
      return decodeAll(contracts, logs).filter((event) => concerns(event, { spender, wallets }))
    },

    async getJob(key) {
      const job = await getJob(client, { escrow: contracts.escrow, key })
      const { terms, state, sellerActsAlone: doesSellerActAlone } = job ?? {}
      return terms && { terms, isClosed: state === 'closed', doesSellerActAlone: doesSellerActAlone === true }
    },

    async getJobEvents({ key, ...range }) {
      const events = await getEscrowEvents(client, { escrow: contracts.escrow, key, ...range })
      return inOrder(events)
    },

    async getEvents(range) {
      const [escrowEvents, permissionEvents] = await Promise.all([
        getEscrowEvents(client, { escrow: contracts.escrow, ...range }),
        getSpendPermissionEvents(client, { manager: contracts.spendPermissionManager, spender, ...range }),
      ])
      return inOrder([...escrowEvents, ...permissionEvents])
    },

    async getUsdcEvents({ wallets, ...range }) {
      if (wallets.length === 0) return []
      const named = wallets === 'all' ? wallets : wallets.map(inHex)
      return inOrder(
        usdcEventsOf(await getUsdcEvents(client, { usdc: contracts.usdc, wallets: named, ...range })),
      )
    },

    async getOutcome(hash) {
      const [outcome] = await getOutcomes([hash])
      return outcome ?? { status: 'unknown' }
    },

    getOutcomes,
    getEscrowTotals: (blockNumber) => getEscrowTotals(client, { escrow: contracts.escrow, blockNumber }),
    getEscrowRoles: (blockNumber) =>
      getEscrowRoles(client, { escrow: contracts.escrow, ...(blockNumber !== undefined && { blockNumber }) }),
    getUsdcBalances: ({ wallets, blockNumber }) =>
      getUsdcBalances(client, {
        usdc: contracts.usdc,
        owners: wallets.map(inHex),
        blockNumber,
      }),
  }
}

const asTopic = (wallet: string): Hex => `0x${wallet.slice(2).toLowerCase().padStart(64, '0')}`

/** Thousands of addresses are asked about at a time: their checksums would cost more than the response. */
const inHex = (address: string): Hex => `0x${address.slice(2).toLowerCase()}`

/**
 * Receipts do not say why: the same call is tried again on the state before its block, and, where something else in the
 * block was the cause, on the state after it.
 */
async function explainRevert(
  client: ChainClient,
  { transactionHash, blockNumber }: Receipt,
): Promise<string> {
  const { from, to, input, value, gas } = await client.getTransaction({ hash: transactionHash })
  for (const at of [blockNumber - 1n, blockNumber]) {
    try {
      await client.call({ account: from, to, data: input, value, gas, blockNumber: at })
    } catch (error) {
      const failure = describeFailure(error)
      if (failure.status === 'refused') return failure.reason
    }
  }
  return 'REVERTED'
}
