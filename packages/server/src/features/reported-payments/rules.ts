import { isDeepStrictEqual } from 'node:util'
import { invalidField, parseMicro, type X402LogA, type X402LogB } from '@agent-marketplace/contract'
import type { ChainEvent } from '../../ports/chain/port.ts'
import type { OwnReport } from './report-store.ts'
import type { LogRow, OtherLog } from './store.ts'

/** A payment that somebody reports, in one shape for both forms. */
export interface Report {
  /** The agent's id, its wallet, or both. */
  agentId: string | undefined
  payeeWallet: string | undefined
  txId: string
  amountMicro: bigint
  payerWallet: string | null
  /** Which transfer of the transaction, where it holds several. */
  logIndex: number | null
  serviceName: string | null
  metadata: Record<string, unknown> | null
}

type LogBody = { form: 'a'; value: X402LogA } | { form: 'b'; value: X402LogB }

export function readReport(body: LogBody): Report {
  if (body.form === 'a') {
    const { agentId, payeeWallet, txHash, amountMicroUsdc, payerWallet, serviceName, metadata, logIndex } =
      body.value
    return {
      agentId,
      payeeWallet,
      txId: txHash,
      amountMicro: parseMicro(amountMicroUsdc),
      payerWallet: payerWallet ?? null,
      logIndex: logIndex ?? null,
      serviceName: serviceName ?? null,
      metadata: metadata ?? null,
    }
  }
  const { agentId, payeeWallet, x402TxId, amount, payerWallet, serviceName, metadata, logIndex } = body.value
  return {
    agentId,
    payeeWallet,
    txId: x402TxId.trim(),
    amountMicro: parseMicro(amount),
    payerWallet,
    logIndex: logIndex ?? null,
    serviceName: serviceName ?? null,
    metadata: metadata ?? null,
  }
}

const hashPattern = /^0x[0-9a-f]{64}$/i

/** Hashes are one however they are spelled; a facilitator's own ids are taken as they are. */
export function txKeyOf(txId: string): string {
  return hashPattern.test(txId) ? txId.toLowerCase() : txId
}

export function isTxHash(txKey: string): txKey is `0x${string}` {
  return hashPattern.test(txKey)
}

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

/** The transfer that a record is about, as far as it is known. */
const indexOf = ({ logIndex, namedLogIndex }: LogRow): number | null => logIndex ?? namedLogIndex

/** Whether a report can be about the payment of a record of the same agent. What either left open says nothing. */
export function isSamePayment(row: LogRow, report: Report): boolean {
  const { payerWallet, logIndex } = report
  const index = indexOf(row)
  return (
    row.amountMicro === report.amountMicro &&
    (row.payerWallet === null || payerWallet === null || same(row.payerWallet, payerWallet)) &&
    (index === null || logIndex === null || index === logIndex)
  )
}

/** Whether a report names another transfer than the record does. */
export function isOtherTransfer(row: LogRow, { logIndex }: Report): boolean {
  const index = indexOf(row)
  return index !== null && logIndex !== null && index !== logIndex
}

/** What a report says beyond the payment itself. */
export const wordsOf = (report: Report | undefined): OwnReport => ({
  serviceName: report?.serviceName ?? null,
  metadata: report?.metadata ?? null,
})

/** The first words with what the later ones add; undefined when they contradict each other. */
export function mergeWords(first: OwnReport, later: OwnReport): OwnReport | undefined {
  const [name, laterName] = [first.serviceName, later.serviceName]
  if (name !== null && laterName !== null && name !== laterName) return undefined
  const [metadata, added] = [first.metadata ?? {}, later.metadata ?? {}]
  const isContradicted = Object.keys(added).some(
    (key) => Object.hasOwn(metadata, key) && !isDeepStrictEqual(metadata[key], added[key]),
  )
  if (isContradicted) return undefined
  const isEmpty = first.metadata === null && later.metadata === null
  return { serviceName: name ?? laterName, metadata: isEmpty ? null : { ...metadata, ...added } }
}

/** As much as one report may hold: added to again and again, a record would grow without end, for both parties. */
const MAX_METADATA_CHARACTERS = 100_000

export function checkRoom({ metadata }: OwnReport): void {
  if (metadata === null || JSON.stringify(metadata).length <= MAX_METADATA_CHARACTERS) return
  throw invalidField(
    '/metadata',
    `holds more than ${MAX_METADATA_CHARACTERS} characters together with what was logged before`,
  )
}

type Transfer = Extract<ChainEvent, { name: 'UsdcTransferred' }>

/** Whether a transfer is the payment of a record, as far as the record says what it is. */
const isPaymentOf = (row: OtherLog, event: Transfer): boolean =>
  same(event.to, row.payeeWallet) &&
  event.amountMicro === row.amountMicro &&
  (row.namedLogIndex === null || event.logIndex === row.namedLogIndex)

const isPaidBy = ({ payerWallet }: { payerWallet: string | null }, event: Transfer): boolean =>
  payerWallet !== null && same(event.from, payerWallet)

/**
 * The transfer that proves the report, and no other one yet. What comes out of the escrow is a job's pay, and counted
 * there. Anybody can call itself the payer: where the payee has reported the payment, too, the chain says who paid, and
 * only what another record knows exactly is left to that one.
 */
export function findProof(
  row: LogRow,
  events: readonly ChainEvent[],
  { escrow, others, isOfPayee }: { escrow: string; others: readonly OtherLog[]; isOfPayee: boolean },
): Transfer | undefined {
  const isTaken = ({ logIndex }: Transfer) => others.some((other) => other.logIndex === logIndex)
  const open = events.filter(
    (event): event is Transfer =>
      event.name === 'UsdcTransferred' &&
      isPaymentOf(row, event) &&
      !same(event.from, escrow) &&
      !isTaken(event),
  )
  const named = open.find((event) => isPaidBy(row, event))
  if (named || (row.payerWallet !== null && !isOfPayee)) return named
  return withoutThoseOf(others, row, open)[0]
}

/** The transfers less one for each other record that waits for its own: which of equal ones is its, only an index says. */
function withoutThoseOf(others: readonly OtherLog[], row: LogRow, open: readonly Transfer[]): Transfer[] {
  const left = [...open]
  const isSpecific = ({ namedLogIndex }: OtherLog) =>
    row.namedLogIndex === null || namedLogIndex === row.namedLogIndex
  for (const other of others.filter((one) => one.logIndex === null && isSpecific(one))) {
    const place = left.findIndex((event) => isPaymentOf(other, event) && isPaidBy(other, event))
    if (place >= 0) left.splice(place, 1)
  }
  return left
}

const DAY_MS = 86_400_000

/** The moments from `from` on and before `to`. A date alone means its whole day in UTC. */
export function readPeriod(query: { startDate?: string; endDate?: string }): { from?: Date; to?: Date } {
  const from = query.startDate === undefined ? undefined : readMoment('startDate', query.startDate)
  const to = query.endDate === undefined ? undefined : readMoment('endDate', query.endDate)
  return {
    ...(from ? { from: from.moment } : {}),
    ...(to ? { to: new Date(to.moment.getTime() + (to.isDay ? DAY_MS : 1)) } : {}),
  }
}

function readMoment(field: string, text: string): { moment: Date; isDay: boolean } {
  const isDay = text.length === 'YYYY-MM-DD'.length
  const hasZone = /(Z|[+-]\d{2}:\d{2})$/.test(text.slice('YYYY-MM-DD'.length))
  const moment = new Date(isDay || hasZone ? text : `${text}Z`)
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`)
  if (Number.isNaN(moment.getTime()) || day.toISOString().slice(0, 10) !== text.slice(0, 10))
    throw invalidField(`/${field}`, 'is not a date of the calendar')
  return { moment, isDay }
}
