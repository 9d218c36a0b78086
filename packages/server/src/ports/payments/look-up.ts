import {
  type ChainClient,
  findTransfers,
  getAuthorizationState,
  getBlockHeader,
  usdcAbi,
} from '@agent-marketplace/chain'
import type { Fate, Hex, Payment } from './port.ts'

/** Nodes bound how many blocks one question may cover. */
const BLOCKS_PER_QUERY = 2_000n
/** What was read last may be a few blocks old: an authorization is over only when it is so by far. */
const EXPIRY_MARGIN_SECONDS = 60n
/** A fork may put a transaction into a block below the head at which its authorization was last seen unused. */
const FORK_BLOCKS = 64n

export interface LookUp {
  usdc: Hex
  payment: Payment
  sinceBlock: bigint
  /** The chain's own time, where it goes on without blocks. Elsewhere the last block says what time it is. */
  timeOfChain?: (() => Date) | undefined
}

/** Reads from the chain what became of an authorization. Only this decides about a payment whose response was lost. */
export async function lookUpPayment(
  client: ChainClient,
  { usdc, payment, sinceBlock, timeOfChain }: LookUp,
): Promise<Fate> {
  const authorization = { authorizer: payment.payer, nonce: payment.nonce }
  const head = await getBlockHeader(client, { blockTag: 'latest' })
  if (head === undefined) return { status: 'unknown' }
  // At the very block whose time counts: a node that lags could call unused what a block before that time has used.
  const at = { usdc, ...authorization, blockNumber: head.number }
  if (!(await getAuthorizationState(client, at))) {
    const timeSeconds = BigInt(timeOfChain ? Math.floor(timeOfChain().getTime() / 1000) : head.timestamp)
    return { status: payment.validBefore + EXPIRY_MARGIN_SECONDS > timeSeconds ? 'unused' : 'expired' }
  }
  const end = await findEnd(client, { usdc, authorization, sinceBlock })
  // Nodes leave events out now and then. Without one nobody knows whether the payment was made.
  if (!end) return { status: 'unknown' }
  const fate: Fate = end.isUse ? await readTransfer(client, { usdc, payment, end }) : { status: 'spent' }
  if (fate.status !== 'spent') return fate
  // What a fork can still take back decides nothing: the payment could be made after all.
  const safe = await client.getBlock({ blockTag: 'safe' })
  return safe.number >= end.blockNumber ? fate : { status: 'unknown' }
}

/** Where an authorization was used or cancelled. */
interface End {
  isUse: boolean
  hash: Hex
  logIndex: number
  blockNumber: bigint
}

async function findEnd(
  client: ChainClient,
  {
    usdc,
    authorization,
    sinceBlock,
  }: { usdc: Hex; authorization: { authorizer: Hex; nonce: Hex }; sinceBlock: bigint },
): Promise<End | undefined> {
  const head = await client.getBlockNumber()
  const first = sinceBlock > FORK_BLOCKS ? sinceBlock - FORK_BLOCKS : 0n
  for (let fromBlock = first; fromBlock <= head; fromBlock += BLOCKS_PER_QUERY) {
    const toBlock = fromBlock + BLOCKS_PER_QUERY - 1n
    const within = { address: usdc, abi: usdcAbi, args: authorization, fromBlock, toBlock }
    const [[use], [cancellation]] = await Promise.all([
      client.getContractEvents({ ...within, eventName: 'AuthorizationUsed' }),
      client.getContractEvents({ ...within, eventName: 'AuthorizationCanceled' }),
    ])
    const end = use ?? cancellation
    if (end) {
      const { transactionHash: hash, logIndex, blockNumber } = end
      return { isUse: use !== undefined, hash, logIndex, blockNumber }
    }
  }
  return undefined
}

/**
 * The token emits the transfer right after the use of the authorization. Any other transfer in the same
 * transaction belongs to something else: when one transaction executes several, one transfer must not pay for all of them.
 */
async function readTransfer(
  client: ChainClient,
  { usdc, payment, end }: { usdc: Hex; payment: Payment; end: End },
): Promise<Fate> {
  const { hash } = end
  const found = await findTransfers(client, { usdc, hash })
  if (found.status !== 'success') return { status: 'unknown' }
  const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
  const transfer = found.transfers.find(({ logIndex }) => logIndex > end.logIndex)
  const isPayment =
    transfer !== undefined &&
    same(transfer.from, payment.payer) &&
    same(transfer.to, payment.payTo) &&
    transfer.amountMicro === payment.amountMicro
  if (!isPayment) return { status: 'spent' }
  const { logIndex, blockNumber, blockHash } = transfer
  const { timestamp } = await client.getBlock({ blockHash })
  return {
    status: 'transferred',
    place: { txHash: hash, logIndex, blockNumber, blockHash, blockTime: new Date(Number(timestamp) * 1000) },
  }
}
