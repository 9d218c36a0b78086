import { escrowEvents } from '@agent-marketplace/chain/events'
import {
  createPublicClient,
  type Hex,
  hexToString,
  http,
  isAddressEqual,
  type PublicClient,
  TransactionNotFoundError,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from 'viem'
import type { PlatformConfig } from '../../data/platform/platform-config.ts'
import { decode, describeLog } from './describe-log.ts'
import type { Sentence } from './sentence.ts'

/** A transaction as the chain knows it. */
export interface ChainTransaction {
  from: string
  to: string | null
  state: 'waiting' | 'confirmed' | 'final' | 'failed'
  /** Undefined while it is in no block. */
  block: { number: bigint; atSeconds: bigint; confirmations: bigint; gasUsed: bigint } | undefined
  sentences: Sentence[]
  /** How many events of other contracts it wrote. */
  unknownEvents: number
  /** The marketplace's job that it is about. */
  jobId: string | undefined
}

interface ReadDeps {
  rpcUrl: string
  contracts: PlatformConfig['contracts']
}

/** Null when the chain does not know it. */
export async function readTransaction(
  hash: Hex,
  { rpcUrl, contracts }: ReadDeps,
): Promise<ChainTransaction | null> {
  const client = createPublicClient({ transport: http(rpcUrl, { batch: true }) })
  const transaction = await orNull(client.getTransaction({ hash }), TransactionNotFoundError)
  if (!transaction) return null
  const { from, to } = transaction
  const receipt = await orNull(client.getTransactionReceipt({ hash }), TransactionReceiptNotFoundError)
  if (!receipt) {
    return { from, to, state: 'waiting', block: undefined, sentences: [], unknownEvents: 0, jobId: undefined }
  }
  const [block, latest, final, jobId] = await Promise.all([
    client.getBlock({ blockNumber: receipt.blockNumber }),
    client.getBlockNumber({ cacheTime: 0 }),
    client.getBlock({ blockTag: 'finalized' }),
    findJob(client, receipt, contracts.escrow),
  ])
  const sentences = receipt.logs.flatMap((log) => describeLog(log, contracts) ?? [])
  const isFinal = receipt.blockNumber <= final.number
  return {
    from,
    to,
    state: receipt.status === 'reverted' ? 'failed' : isFinal ? 'final' : 'confirmed',
    block: {
      number: receipt.blockNumber,
      atSeconds: block.timestamp,
      confirmations: latest - receipt.blockNumber + 1n,
      gasUsed: receipt.gasUsed,
    },
    sentences: sentences.sort((one, other) => Number(one.isQuiet) - Number(other.isQuiet)),
    unknownEvents: receipt.logs.length - sentences.length,
    jobId,
  }
}

async function orNull<Value>(
  reading: Promise<Value>,
  missing: new (...args: never[]) => Error,
): Promise<Value | null> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof missing) return null
    throw error
  }
}

/** The escrow keeps a job's id as text in the event that opened it; later events only carry its key. */
async function findJob(
  client: PublicClient,
  { logs }: TransactionReceipt,
  escrow: string,
): Promise<string | undefined> {
  const log = logs.find(({ address }) => isAddressEqual(address, escrow as Hex))
  const event = log && decode(escrowEvents, log)
  if (!event) return undefined
  if (event.eventName === 'JobFunded') return idOf(event.args.jobRef)
  if (!('key' in event.args)) return undefined
  const opening = await client
    .getContractEvents({
      abi: escrowEvents,
      address: escrow as Hex,
      eventName: 'JobFunded',
      args: { key: event.args.key },
      fromBlock: 'earliest',
      strict: true,
    })
    // Nodes that limit how far back one may look leave the transaction without its way back, and nothing else.
    .catch(() => [])
  const jobRef = opening[0]?.args.jobRef
  return jobRef && idOf(jobRef)
}

const idOf = (jobRef: Hex): string | undefined => hexToString(jobRef, { size: 32 }) || undefined
