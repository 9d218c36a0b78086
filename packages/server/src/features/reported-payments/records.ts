import { AppError, invalidField } from '@agent-marketplace/contract'
import type { AgentOf, PaidAgent } from '../../house/agents.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { NewId } from '../../platform/id/id.ts'
import type { ChainPort } from '../../ports/chain/port.ts'
import { findReport, type OwnReport, saveReport } from './report-store.ts'
import {
  checkRoom,
  isOtherTransfer,
  isSamePayment,
  mergeWords,
  type Report,
  txKeyOf,
  wordsOf,
} from './rules.ts'
import { insertLog, type LogRow, listLogsOf, lockTransaction, saveJoined } from './store.ts'

export interface LogRecordsDeps {
  clock: Clock
  newId: NewId
  chain: Pick<ChainPort, 'facts' | 'checksumAddress'>
  agentOf: AgentOf
  /** The owner whose wallet it is, or whose agent's. */
  ownerOfWallet: (db: Queryable, wallet: string) => Promise<string | undefined>
}

export interface Logged {
  row: LogRow
  /** False when the payment was logged before, with the same content. */
  isNew: boolean
}

interface Reporter {
  ownerId: string
  isPayee: boolean
  /** By its own word: the paying wallet that it names is its own. */
  isPayer: boolean
}

/**
 * Which record a report belongs to. The payer and the payee of a payment share one, and what either adds is added; who is
 * neither may be the first to report it, and leaves the record to them as soon as one of them does.
 */
export function createLogRecords({ clock, newId, chain, agentOf, ownerOfWallet }: LogRecordsDeps) {
  const { chainId } = chain.facts
  const isWalletOf = async (db: Queryable, ownerId: string, wallet: string | null): Promise<boolean> =>
    wallet !== null && (await ownerOfWallet(db, wallet)) === ownerId

  const isPayerOf = async (tx: Transaction, row: LogRow, ownerId: string): Promise<boolean> =>
    row.payerOwnerId === ownerId || (await isWalletOf(tx, ownerId, row.payerWallet))

  /** Of a record that says the same as the reporter. */
  const isPartyOf = async (tx: Transaction, row: LogRow, { ownerId, isPayee, isPayer }: Reporter) =>
    isPayee || isPayer || (await isPayerOf(tx, row, ownerId))

  /** Whether more speaks for a record than the word of somebody who calls itself the payer, as anybody can. */
  const isBacked = async (tx: Transaction, row: LogRow): Promise<boolean> =>
    row.verification === 'VERIFIED' || (await findReport(tx, row.id, row.payeeOwnerId)) !== undefined

  /** Adds a report to a record that says the same. */
  async function join(
    tx: Transaction,
    row: LogRow,
    { reporter, report, before }: { reporter: Reporter; report: Report; before: OwnReport | undefined },
  ): Promise<Logged> {
    const { ownerId } = reporter
    const words = wordsOf(report)
    const own = before ? mergeWords(before, words) : words
    const isParty = await isPartyOf(tx, row, reporter)
    const shared = isParty ? mergeWords(row, words) : row
    if (!own || !shared) throw loggedOtherwise()
    checkRoom(own)
    checkRoom(shared)
    await saveReport(tx, { ...own, logId: row.id, ownerId, createdAt: clock.now() })
    if (!isParty) return { row: { ...row, ...own }, isNew: false }
    const payerWallet = report.payerWallet && chain.checksumAddress(report.payerWallet)
    const isPayer = reporter.isPayer || (!reporter.isPayee && row.payerOwnerId !== ownerId)
    // What a stranger said of the payer is not a party's word, and the chain would hold it against the record.
    const mayKeepPayer = row.ofParties || row.verification === 'VERIFIED' || (isPayer && !payerWallet)
    const joined = await saveJoined(tx, {
      ...row,
      serviceName: shared.serviceName,
      metadata: shared.metadata,
      ownerId: row.ofParties ? row.ownerId : ownerId,
      ofParties: true,
      payerWallet: mayKeepPayer ? (row.payerWallet ?? payerWallet) : payerWallet,
      payerOwnerId: isPayer ? ownerId : row.payerOwnerId,
      namedLogIndex: row.namedLogIndex ?? report.logIndex,
    })
    return { row: joined, isNew: false }
  }

  /** Said twice, it must be the same agent both times. */
  async function paidAgent(tx: Transaction, { agentId, payeeWallet }: Report): Promise<PaidAgent> {
    const agent = await agentOf(tx, agentId ?? payeeWallet ?? '')
    if (!agent) throw new AppError('NOT_FOUND', { message: 'There is no such agent.' })
    const isSame =
      payeeWallet === undefined || payeeWallet.toLowerCase() === agent.walletAddress.toLowerCase()
    if (!isSame) throw invalidField('/payeeWallet', 'is not the wallet of agentId')
    return agent
  }

  /** Whether the reporter may be a party of the payment, as far as anybody knows now. */
  async function mayJoin(tx: Transaction, row: LogRow, reporter: Reporter, report: Report): Promise<boolean> {
    if (await isPartyOf(tx, row, reporter)) return true
    // Form A names no payer: until the chain does, it may be this one.
    return report.payerWallet === null && row.payerWallet === null
  }

  return async (tx: Transaction, ownerId: string, report: Report): Promise<Logged> => {
    const agent = await paidAgent(tx, report)
    const txKey = txKeyOf(report.txId)
    await lockTransaction(tx, chainId, txKey)
    const known = await listLogsOf(tx, { chainId, txKey, agentId: agent.id })
    const reporter = {
      ownerId,
      isPayee: agent.ownerId === ownerId,
      isPayer: await isWalletOf(tx, ownerId, report.payerWallet),
    }
    const own = new Map<string, OwnReport>()
    for (const { id } of known) {
      const words = await findReport(tx, id, ownerId)
      if (words) own.set(id, words)
    }

    const same = known.filter((row) => isSamePayment(row, report))
    const joinAgain = (row: LogRow) => join(tx, row, { reporter, report, before: own.get(row.id) })
    // What the chain did not confirm stands in nobody's way.
    const live = known.filter(({ verification }) => verification !== 'UNVERIFIED')
    const mine = live.findLast((row) => same.includes(row) && own.has(row.id))
    if (mine) return joinAgain(mine)
    const unproven = same.findLast(({ id }) => own.has(id))
    for (const row of live.filter((one) => same.includes(one))) {
      if (await mayJoin(tx, row, reporter, report)) return joinAgain(row)
      if (unproven) return joinAgain(unproven)
      // What others logged is not shown to strangers, not even to say that it agrees.
      if (report.payerWallet !== null || row.verification === 'VERIFIED') throw loggedOtherwise()
    }
    if (unproven) return joinAgain(unproven)
    for (const row of live.filter((one) => !same.includes(one) && !isOtherTransfer(one, report))) {
      const isTheirs = (reporter.isPayee || (await isPayerOf(tx, row, ownerId))) && (await isBacked(tx, row))
      if (own.has(row.id) || isTheirs) throw loggedOtherwise()
    }

    const isParty = reporter.isPayee || reporter.isPayer
    const words = wordsOf(report)
    const now = clock.now()
    const row = await insertLog(tx, {
      id: newId(),
      ownerId,
      agentId: agent.id,
      payeeOwnerId: agent.ownerId,
      payerOwnerId: reporter.isPayer ? ownerId : null,
      chainId,
      txId: report.txId,
      txKey,
      payerWallet: report.payerWallet && chain.checksumAddress(report.payerWallet),
      payeeWallet: chain.checksumAddress(agent.walletAddress),
      amountMicro: report.amountMicro,
      ...(isParty ? words : wordsOf(undefined)),
      ofParties: isParty,
      namedLogIndex: report.logIndex,
      createdAt: now,
    })
    await saveReport(tx, { ...words, logId: row.id, ownerId, createdAt: now })
    return { row: { ...row, ...words }, isNew: true }
  }
}

function loggedOtherwise(): AppError<'CONFLICT'> {
  return new AppError('CONFLICT', {
    message:
      'This transaction is logged already, with other content. Where it holds several payments to the same agent, send `logIndex`, too.',
  })
}
