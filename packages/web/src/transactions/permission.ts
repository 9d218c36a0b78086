import { type Log, readHeight, readLogs } from './rpc.ts'
import type { Evidence, SignedPermission } from './story.ts'

/** The topics of the manager's events. Spelled out, because computing them would bring a hash function into every page. */
export const permissionTopics = {
  approved: '0x40a18f36db551498d122b5bfe203819b4c710502e7401e2bd6d2ccc6d2ceb558',
  used: '0xbcba65b462dfff1a0af642e2ccd28778c64fcb16da2132dabf6eee8906d6753c',
  revoked: '0xff59e520513907d7deffc74c82b5492b06b2988d7d03dacfd4995de47fe94c95',
} as const

/** Public nodes refuse to look through more blocks at once. */
const MOST_BLOCKS = 10_000

/** What the chain says about a permission since it was signed. */
export async function readPermissionLogs(
  rpcUrl: string,
  manager: string,
  { hash, fromBlock }: Pick<SignedPermission, 'hash' | 'fromBlock'>,
  signal: AbortSignal,
): Promise<Log[]> {
  const height = Number(await readHeight(rpcUrl, signal))
  const lastBlock = Math.min(height, Number(fromBlock) + MOST_BLOCKS - 1)
  const toBlock = `0x${lastBlock.toString(16)}`
  const topics = [Object.values(permissionTopics), hash]
  return readLogs(rpcUrl, { address: manager, topics, fromBlock, toBlock }, signal)
}

/**
 * The service hands a permission to the chain, pulls through it once, and gives it back when the pull was refused: so what
 * was revoked without ever being used was never paid.
 */
export function lookAtPermission(logs: readonly Log[]): Evidence {
  const find = (topic: string) => logs.find(({ topics }) => topics[0] === topic)
  const used = find(permissionTopics.used)
  if (used) return { state: 'sent', txHash: used.transactionHash }
  if (find(permissionTopics.revoked)) {
    return { state: 'failed', failure: 'The amount could not be pulled. Nothing was charged.' }
  }
  return { state: find(permissionTopics.approved) ? 'sent' : 'signed' }
}
