import { type ChainClient, findTransfers, getAuthorizationState, usdcAbi } from '@agent-marketplace/chain'
import type { Fate, Hex, Payment } from './port.ts'

/** Nodes bound how many blocks one question may cover. */
const BLOCKS_PER_QUERY = 2_000n

/** Reads from the chain what became of an authorization. Only this decides about a payment whose answer was lost. */
export async function lookUpPayment(
  client: ChainClient,
  { usdc, payment, sinceBlock }: { usdc: Hex; payment: Payment; sinceBlock: bigint },
): Promise<Fate> {
  const authorization = { authorizer: payment.payer, nonce: payment.nonce }
  if (!(await getAuthorizationState(client, { usdc, ...authorization }))) return { status: 'unused' }
  const hash = await findUse(client, { usdc, authorization, sinceBlock })
  if (!hash) return { status: 'spent' }
  return readTransfer(client, { usdc, payment, hash })
}

async function findUse(
  client: ChainClient,
  {
    usdc,
    authorization,
    sinceBlock,
  }: { usdc: Hex; authorization: { authorizer: Hex; nonce: Hex }; sinceBlock: bigint },
): Promise<Hex | undefined> {
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
    if (use) return use.transactionHash
  }
  return undefined
}

async function readTransfer(
  client: ChainClient,
  { usdc, payment, hash }: { usdc: Hex; payment: Payment; hash: Hex },
): Promise<Fate> {
  const found = await findTransfers(client, { usdc, hash })
  if (found.status !== 'success') return { status: 'unused' }
  const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
  const transfer = found.transfers.find(
    ({ from, to, amountMicro }) =>
      same(from, payment.payer) && same(to, payment.payTo) && amountMicro === payment.amountMicro,
  )
  if (!transfer) return { status: 'spent' }
  const { logIndex, blockNumber, blockHash } = transfer
  const { timestamp } = await client.getBlock({ blockHash })
  return {
    status: 'transferred',
    place: { txHash: hash, logIndex, blockNumber, blockHash, blockTime: new Date(Number(timestamp) * 1000) },
  }
}
