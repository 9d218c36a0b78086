/** One JSON-RPC call. The few reads that the page makes do not need a chain library. */
export async function callRpc(
  url: string,
  method: string,
  params: unknown[],
  signal?: AbortSignal,
): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    ...(signal ? { signal } : {}),
  })
  const reply: { result?: unknown; error?: { message?: string } } = Object(await response.json())
  if (reply.error) throw new Error(reply.error.message ?? `${method} failed`)
  return reply.result
}

export interface Receipt {
  hasSucceeded: boolean
  blockNumber: bigint
}

/** Undefined while the transaction is not in a block. */
export async function readReceipt(
  url: string,
  txHash: string,
  signal?: AbortSignal,
): Promise<Receipt | undefined> {
  const reply = await callRpc(url, 'eth_getTransactionReceipt', [txHash], signal)
  if (reply === null || reply === undefined) return undefined
  const { status, blockNumber } = Object(reply) as Record<string, unknown>
  return { hasSucceeded: status === '0x1', blockNumber: BigInt(String(blockNumber)) }
}

/** The chain's height, in hex. */
export async function readHeight(url: string, signal?: AbortSignal): Promise<string> {
  return String(await callRpc(url, 'eth_blockNumber', [], signal))
}

export interface Log {
  topics: string[]
  transactionHash: string
}

interface LogFilter {
  address: string
  topics: (string | string[])[]
  fromBlock: string
  toBlock: string
}

export async function readLogs(url: string, filter: LogFilter, signal?: AbortSignal): Promise<Log[]> {
  const reply = await callRpc(url, 'eth_getLogs', [filter], signal)
  return Array.isArray(reply) ? reply : []
}

/** The highest block that the chain will not take back. */
export async function readFinalBlock(url: string, signal?: AbortSignal): Promise<bigint> {
  const block = await callRpc(url, 'eth_getBlockByNumber', ['finalized', false], signal)
  const { number } = Object(block) as Record<string, unknown>
  return typeof number === 'string' ? BigInt(number) : 0n
}
