import { type ChainClient, findTransfers, getAuthorizationState, usdcAbi } from '@agent-marketplace/chain'
import type { Fate, Hex, Payment } from './port.ts'

/** Nodes bound how many blocks one question may cover. */
const BLOCKS_PER_QUERY = 2_000n
/** What was read last may be a few blocks old: an authorization is over only when it is so by far. */
const EXPIRY_MARGIN_SECONDS = 60n

/** Reads from the chain what became of an authorization. Only this decides about a payment whose answer was lost. */
export async function lookUpPayment(
  client: ChainClient,
  { usdc, payment, sinceBlock }: { usdc: Hex; payment: Payment; sinceBlock: bigint },
): Promise<Fate> {
  const authorization = { authorizer: payment.payer, nonce: payment.nonce }
  if (!(await getAuthorizationState(client, { usdc, ...authorization }))) {
    const { timestamp } = await client.getBlock()
    return { status: payment.validBefore + EXPIRY_MARGIN_SECONDS > timestamp ? 'unused' : 'expired' }
  }
  const use = await findUse(client, { usdc, authorization, sinceBlock })
  if (!use) return { status: 'spent' }
  return readTransfer(client, { usdc, payment, use })
}

/** Where an authorization was used. */
interface Use {
  hash: Hex
  logIndex: number
}

async function findUse(
  client: ChainClient,
  {
    usdc,
    authorization,
    sinceBlock,
  }: { usdc: Hex; authorization: { authorizer: Hex; nonce: Hex }; sinceBlock: bigint },
): Promise<Use | undefined> {
  const head = await client.getBlockNumber()
  for (let fromBlock = sinceBlock; fromBlock <= head; fromBlock += BLOCKS_PER_QUERY) {
    const [use] = await client.getContractEvents({
      address: usdc,
      abi: usdcAbi,
      eventName: 'AuthorizationUsed',
      args: authorization,
      fromBlock,
      toBlock: fromBlock + BLOCKS_PER_QUERY - 1n,
    })
    if (use) return { hash: use.transactionHash, logIndex: use.logIndex }
  }
  return undefined
}

/**
 * The token tells of the transfer right after it tells that the authorization is used. Any other transfer in the same
 * transaction belongs to something else: whoever carries out several at once must not have one pay for all of them.
 */
async function readTransfer(
  client: ChainClient,
  { usdc, payment, use }: { usdc: Hex; payment: Payment; use: Use },
): Promise<Fate> {
  const { hash } = use
  const found = await findTransfers(client, { usdc, hash })
  if (found.status !== 'success') return { status: 'unused' }
  const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
  const transfer = found.transfers.find(({ logIndex }) => logIndex > use.logIndex)
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
