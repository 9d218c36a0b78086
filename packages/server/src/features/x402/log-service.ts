import { AppError } from '@agent-marketplace/contract'
import { Type } from 'typebox'
import { createAccountOf } from '../../money/accounts.ts'
import { isRecorded } from '../../money/event-store.ts'
import { isOfJob, postEntry } from '../../money/journal.ts'
import type { Recorder } from '../../money/recorder.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { NewId } from '../../platform/id/id.ts'
import type { Queue } from '../../platform/queue/queue.ts'
import { RetryableError } from '../../platform/queue/retryable-error.ts'
import type { ChainEvent, ChainPort } from '../../ports/chain/port.ts'
import type { AgentOf } from './agent-of.ts'
import { bookClaim, releaseClaim, restoreClaim } from './claims.ts'
import { findProof, isTxHash, type Report, saysTheSame, txKeyOf } from './log-rules.ts'
import {
  countLogs,
  findLog,
  findLogByTx,
  findOwnLog,
  insertLog,
  isBeingSettled,
  type LogFilter,
  type LogRow,
  listLogs,
  reopenVerification,
  saveCounted,
  saveVerification,
} from './log-store.ts'

/**
 * The log of x402 payments that owners report. It promises: a transaction has one record, whoever reports it and however
 * it is spelled; what is reported moves no money until the chain shows it, and is a claim of the payee's owner at most;
 * owners see only their own.
 */
export interface LogDeps {
  db: Database
  clock: Clock
  newId: NewId
  chain: Pick<ChainPort, 'facts' | 'reader' | 'checksumAddress'>
  queue: Pick<Queue, 'define' | 'enqueue'>
  onEvent: Recorder['onEvent']
  agentOf: AgentOf
  /** Whether the wallet is the owner's own, or that of one of its agents. */
  isWalletOf: (db: Queryable, ownerId: string, wallet: string) => Promise<boolean>
  addPaymentToTotals: (
    tx: Queryable,
    payment: { agentId: string; earnedMicro: bigint; by?: 1 | -1 },
  ) => Promise<void>
}

const TASK = 'x402.verify-log'
/** A transaction may be logged before it is mined; with growing pauses this is about an hour. */
const LOOKS = 12

export function createLogService(deps: LogDeps) {
  const { db, clock, newId, chain, queue, onEvent, agentOf, isWalletOf, addPaymentToTotals } = deps
  const { chainId, contracts } = chain.facts
  const accountOf = createAccountOf(chain.facts)

  queue.define(TASK, {
    schema: Type.Object({ id: Type.String() }),
    retryLimit: LOOKS,
    retryDelayMaxSeconds: 600,
    handler: async ({ id }, { attempt }) => verify(await findLog(db, id), attempt),
  })

  // The journal takes its entry back by itself; whether the payment comes again the chain must say again.
  onEvent(
    'UsdcTransferred',
    async () => {},
    async (tx, { transactionHash: txKey, logIndex }) => {
      const row = await reopenVerification(tx, { chainId, txKey, logIndex })
      if (row === undefined) return
      if (row.counted)
        await addPaymentToTotals(tx, { agentId: row.agent_id, earnedMicro: row.amount_micro, by: -1 })
      await restoreClaim(tx, row.id)
      await queue.enqueue(tx, TASK, { id: row.id })
    },
  )

  async function verify(row: LogRow, attempt: number): Promise<void> {
    if (row.verification !== 'PENDING') return
    const outcome = isTxHash(row.tx_key) ? await chain.reader.getOutcome(row.tx_key) : undefined
    const isOpen = outcome?.status === 'unknown' || outcome?.status === 'pending'
    if (isOpen && attempt < LOOKS) throw new RetryableError(`transaction ${row.tx_key} is not mined yet`)
    const proof = outcome?.status === 'success' ? findProof(row, outcome.events, contracts.escrow) : undefined
    if (!proof) {
      await saveVerification(db, row.id, { verification: 'UNVERIFIED', payerWallet: null, logIndex: null })
      return
    }
    const [block, safe] = await Promise.all([
      chain.reader.getBlock(proof.blockNumber),
      chain.reader.getBlock('safe'),
    ])
    const isSafe = safe !== undefined && safe.number >= proof.blockNumber
    if (!isSafe || block?.hash !== proof.blockHash)
      throw new RetryableError(`transaction ${row.tx_key} is in a block that may still be replaced`)
    if (await isBeingSettled(db, proof)) throw new RetryableError('this payment is being settled here')
    await db.transaction((tx) => book(tx, row, proof, new Date(block.timestamp * 1000)))
  }

  async function book(
    tx: Transaction,
    row: LogRow,
    proof: Extract<ChainEvent, { name: 'UsdcTransferred' }>,
    at: Date,
  ): Promise<void> {
    const { from, to, logIndex, transactionHash, blockNumber, blockHash, amountMicro } = proof
    // Only what the indexer has read is a fact: it alone notices when a block is replaced.
    if (!(await isRecorded(tx, chainId, proof)))
      throw new RetryableError(`transaction ${row.tx_key} is not read yet`)
    const found = { verification: 'VERIFIED', payerWallet: chain.checksumAddress(from), logIndex } as const
    if (!(await saveVerification(tx, row.id, found))) return
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
      reference: { agentId: row.agent_id, ownerId: row.payee_owner_id },
    })
    if (!(await isOfJob(tx, entryId))) await count(tx, row, from)
  }

  /** Reputation is not for sale: what an owner pays to its own agent says nothing about it. */
  async function count(tx: Transaction, row: LogRow, payer: string): Promise<void> {
    if (await isWalletOf(tx, row.payee_owner_id, payer)) return
    await saveCounted(tx, row.id)
    await addPaymentToTotals(tx, { agentId: row.agent_id, earnedMicro: row.amount_micro })
  }

  async function record(tx: Transaction, ownerId: string, report: Report): Promise<Logged> {
    const agent = await agentOf(tx, report.agent)
    if (!agent) throw new AppError('NOT_FOUND', { message: 'There is no such agent.' })
    const txKey = txKeyOf(report.txId)
    const own = await findOwnLog(tx, ownerId, chainId, txKey)
    if (own) return repeated(own, report, agent.id)
    const row = await insertLog(tx, {
      id: newId(),
      owner_id: ownerId,
      agent_id: agent.id,
      payee_owner_id: agent.ownerId,
      chain_id: chainId,
      tx_id: report.txId,
      tx_key: txKey,
      payer_wallet: report.payerWallet && chain.checksumAddress(report.payerWallet),
      payee_wallet: chain.checksumAddress(agent.walletAddress),
      amount_micro: report.amountMicro,
      service_name: report.serviceName,
      metadata: report.metadata,
      created_at: clock.now(),
    })
    if (row) {
      await queue.enqueue(tx, TASK, { id: row.id })
      return { row, isNew: true }
    }
    const first = await findLogByTx(tx, chainId, txKey)
    // What strangers logged is not shown, not even to say that it agrees.
    if (first.payee_owner_id !== ownerId) throw loggedOtherwise()
    return repeated(first, report, agent.id)
  }

  return {
    /** What the payee's own owner reports is a claim at once, also when somebody else reported it before. */
    async log(tx: Transaction, ownerId: string, report: Report): Promise<Logged> {
      const logged = await record(tx, ownerId, report)
      if (logged.row.payee_owner_id === ownerId) await bookClaim(tx, logged.row.id)
      return logged
    },

    async list(filter: LogFilter, page: { limit: number; offset: number }) {
      const [rows, total] = await Promise.all([listLogs(db, filter, page), countLogs(db, filter)])
      return { rows, total }
    },
  }
}

interface Logged {
  row: LogRow
  /** False when the transaction was logged before, with the same content. */
  isNew: boolean
}

function repeated(first: LogRow, report: Report, agentId: string): Logged {
  if (!saysTheSame(first, report, agentId)) throw loggedOtherwise()
  return { row: first, isNew: false }
}

function loggedOtherwise(): AppError<'CONFLICT'> {
  return new AppError('CONFLICT', { message: 'This transaction is logged already, with other content.' })
}

export type LogService = ReturnType<typeof createLogService>
