import { MIN_COUNTED_MICRO } from '@agent-marketplace/contract/rating'
import { Type } from 'typebox'
import { onChain, task } from '../../house/feature.ts'
import { createAccountOf } from '../../money/books/accounts.ts'
import { isOfJob, postEntry } from '../../money/books/journal.ts'
import { isRecorded } from '../../money/following/event-store.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { Queue } from '../../platform/queue/queue.ts'
import { RetryableError } from '../../platform/queue/retryable-error.ts'
import type { ChainEvent, ChainPort } from '../../ports/chain/port.ts'
import { bookClaim, releaseClaim, restoreClaim } from './claims.ts'
import { countLogs, type LogFilter, listLogs } from './list-store.ts'
import { createLogRecords, type Logged, type LogRecordsDeps } from './records.ts'
import { findReport, findWords } from './report-store.ts'
import { findProof, isTxHash, mergeWords, type Report, wordsOf } from './rules.ts'
import {
  findLog,
  isBeingSettled,
  type LogRow,
  listOtherLogs,
  lockLog,
  lockTransaction,
  reopenVerification,
  saveCounted,
  saveJoined,
  saveVerification,
} from './store.ts'

/**
 * The log of x402 payments that owners report. It promises: a payment has one record for its payer and its payee,
 * no matter which of them reports it, how often and in which spelling; nobody else's report keeps theirs out; what is
 * reported moves no money until the chain shows it, and is a claim of the payee's owner at most; owners see only their own.
 */
export interface LogDeps extends LogRecordsDeps {
  db: Database
  chain: Pick<ChainPort, 'facts' | 'reader' | 'checksumAddress'>
  queue: Pick<Queue, 'enqueue'>
  addPaymentToTotals: (
    tx: Queryable,
    payment: { agentId: string; earnedMicro: bigint; by?: 1 | -1 },
  ) => Promise<void>
}

const TASK = 'x402.verify-log'
/** A transaction may be logged before it is mined; with growing pauses this is about an hour. */
const LOOKS = 12

type Transfer = Extract<ChainEvent, { name: 'UsdcTransferred' }>

export function createLogService(deps: LogDeps) {
  const { db, chain, queue, ownerOfWallet, addPaymentToTotals } = deps
  const { chainId, contracts } = chain.facts
  const accountOf = createAccountOf(chain.facts)
  const record = createLogRecords(deps)

  const verification = task(TASK, {
    schema: Type.Object({ id: Type.String() }),
    retryLimit: LOOKS,
    retryDelayMaxSeconds: 600,
    handler: async ({ id }, { attempt }) => verify(await findLog(db, id), attempt),
  })

  // The journal takes its entry back by itself; whether the payment comes again the chain must say again.
  const transferTakenBack = onChain(
    'UsdcTransferred',
    async () => {},
    async (tx, { transactionHash: txKey, logIndex }) => {
      const row = await reopenVerification(tx, { chainId, txKey, logIndex })
      if (row === undefined) return
      if (row.counted)
        await addPaymentToTotals(tx, { agentId: row.agentId, earnedMicro: row.amountMicro, by: -1 })
      await restoreClaim(tx, row.id)
      await queue.enqueue(tx, TASK, { id: row.id })
    },
  )

  async function verify(row: LogRow, attempt: number): Promise<void> {
    if (row.verification !== 'PENDING') return
    const outcome = isTxHash(row.txKey) ? await chain.reader.getOutcome(row.txKey) : undefined
    const isOpen = outcome?.status === 'unknown' || outcome?.status === 'pending'
    if (isOpen && attempt < LOOKS) throw new RetryableError(`transaction ${row.txKey} is not mined yet`)
    const proof = await decide(row, outcome?.status === 'success' ? outcome.events : [])
    if (!proof) return
    const [block, safe] = await Promise.all([
      chain.reader.getBlock(proof.blockNumber),
      chain.reader.getBlock('safe'),
    ])
    const isSafe = safe !== undefined && safe.number >= proof.blockNumber
    if (!isSafe || block?.hash !== proof.blockHash)
      throw new RetryableError(`transaction ${row.txKey} is in a block that may still be replaced`)
    if (await isBeingSettled(db, proof)) throw new RetryableError('this payment is being settled here')
    await db.transaction((tx) => book(tx, row, proof, new Date(block.timestamp * 1000)))
  }

  /** The transfer that proves a record. One that nothing proves is unverified, as all who have reported it by now say it. */
  function decide({ id, txKey }: LogRow, events: readonly ChainEvent[]): Promise<Transfer | undefined> {
    return db.transaction(async (tx) => {
      await lockTransaction(tx, chainId, txKey)
      const row = await findLog(tx, id)
      const others = await listOtherLogs(tx, row)
      const isOfPayee = (await findReport(tx, id, row.payeeOwnerId)) !== undefined
      const proof = findProof(row, events, { escrow: contracts.escrow, others, isOfPayee })
      if (!proof)
        await saveVerification(tx, id, { verification: 'UNVERIFIED', payerWallet: null, logIndex: null })
      return proof
    })
  }

  async function book(tx: Transaction, { id, txKey }: LogRow, proof: Transfer, at: Date): Promise<void> {
    const { from, to, logIndex, transactionHash, blockNumber, blockHash, amountMicro } = proof
    // Only what the indexer has read is a fact: it alone notices when a block is replaced.
    if (!(await isRecorded(tx, chainId, proof)))
      throw new RetryableError(`transaction ${txKey} is not read yet`)
    const found = { verification: 'VERIFIED', payerWallet: chain.checksumAddress(from), logIndex } as const
    const { payerWallet: named } = await lockLog(tx, id)
    const saved = await saveVerification(tx, id, found)
    if (!saved) return
    const isOtherPayer = named !== null && named.toLowerCase() !== from.toLowerCase()
    const row = isOtherPayer ? await leaveToPayee(tx, saved) : saved
    const payerOwnerId = await ownerOfWallet(tx, from)
    if (payerOwnerId !== undefined) await welcomePayer(tx, row, payerOwnerId)
    await releaseClaim(tx, row.id)
    if (from === to) return
    // It was a direct transfer until now. One that was settled here is in the journal as what it was for, and stays that.
    const entryId = await postEntry(tx, {
      kind: 'x402',
      at,
      postings: [
        { account: accountOf(from), amountMicro: -amountMicro },
        { account: accountOf(to), amountMicro },
      ],
      chain: { chainId, txHash: transactionHash, logIndex, blockNumber, blockHash },
      reference: { agentId: row.agentId, ownerId: row.payeeOwnerId },
    })
    // Reputation is not for sale: what an owner pays to its own agent says nothing about it.
    if (amountMicro < MIN_COUNTED_MICRO || payerOwnerId === row.payeeOwnerId) return
    if (await isOfJob(tx, entryId)) return
    await saveCounted(tx, row.id)
    await addPaymentToTotals(tx, { agentId: row.agentId, earnedMicro: row.amountMicro })
  }

  /** The chain says that somebody else paid than who called itself the payer: nothing in the record is theirs. */
  async function leaveToPayee(tx: Transaction, row: LogRow): Promise<LogRow> {
    const words = (await findReport(tx, row.id, row.payeeOwnerId)) ?? wordsOf(undefined)
    const { serviceName, metadata } = words
    return saveJoined(tx, {
      ...row,
      serviceName,
      metadata,
      ownerId: row.payeeOwnerId,
      payerOwnerId: null,
    })
  }

  /** The chain says who paid: the record is that owner's, too, and what it reported of it before is added. */
  async function welcomePayer(tx: Transaction, row: LogRow, ownerId: string): Promise<void> {
    const words = await findWords(tx, row, ownerId)
    await saveJoined(tx, {
      ...row,
      ...(words ? (mergeWords(row, words) ?? {}) : {}),
      ownerId: words && !row.ofParties ? ownerId : row.ownerId,
      payerOwnerId: ownerId,
      ofParties: row.ofParties || words !== undefined,
    })
  }

  return {
    tasks: [verification],
    eventHandlers: [transferTakenBack],

    /** What the payee's own owner reports is a claim at once, also when somebody else reported it before. */
    async log(tx: Transaction, ownerId: string, report: Report): Promise<Logged> {
      const logged = await record(tx, ownerId, report)
      if (logged.isNew) await queue.enqueue(tx, TASK, { id: logged.row.id })
      if (logged.row.payeeOwnerId === ownerId) await bookClaim(tx, logged.row.id)
      return logged
    },

    async list(filter: LogFilter, page: { limit: number; offset: number }) {
      const [rows, total] = await Promise.all([listLogs(db, filter, page), countLogs(db, filter)])
      return { rows, total }
    },
  }
}

export type LogService = ReturnType<typeof createLogService>
