import { invalidField, parseMicro, type X402LogA, type X402LogB } from '@agent-marketplace/contract'
import type { ChainEvent } from '../../ports/chain/port.ts'
import type { LogRow } from './log-store.ts'

/** A payment that somebody reports, in one shape for both forms. */
export interface Report {
  /** The agent's id, or its wallet. */
  agent: string
  txId: string
  amountMicro: bigint
  payerWallet: string | null
  serviceName: string | null
  metadata: Record<string, unknown> | null
}

type LogBody = { form: 'a'; value: X402LogA } | { form: 'b'; value: X402LogB }

export function readReport(body: LogBody): Report {
  if (body.form === 'a') {
    const { agentId, txHash, amountMicroUsdc, payerWallet, serviceName, metadata } = body.value
    return {
      agent: agentId,
      txId: txHash,
      amountMicro: parseMicro(amountMicroUsdc),
      payerWallet: payerWallet ?? null,
      serviceName: serviceName ?? null,
      metadata: metadata ?? null,
    }
  }
  const { payeeWallet, x402TxId, amount, payerWallet, serviceName, metadata } = body.value
  return {
    agent: payeeWallet,
    txId: x402TxId.trim(),
    amountMicro: parseMicro(amount),
    payerWallet,
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

/** Whether a second report says the same as the first. What either left open says nothing. */
export function saysTheSame(first: LogRow, report: Report, agentId: string): boolean {
  const agrees = <T>(a: T | null, b: T | null) => a === null || b === null || a === b
  const inOneCase = (address: string | null) => address?.toLowerCase() ?? null
  const metadata = report.metadata === null ? null : JSON.stringify(report.metadata)
  return (
    first.agent_id === agentId &&
    first.amount_micro === report.amountMicro &&
    agrees(inOneCase(first.payer_wallet), inOneCase(report.payerWallet)) &&
    agrees(first.service_name, report.serviceName) &&
    agrees(first.metadata === null ? null : JSON.stringify(first.metadata), metadata)
  )
}

type Transfer = Extract<ChainEvent, { name: 'UsdcTransferred' }>

/** The transfer that proves the report. What comes out of the escrow is a job's pay, and counted there. */
export function findProof(row: LogRow, events: readonly ChainEvent[], escrow: string): Transfer | undefined {
  const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
  return events.find(
    (event): event is Transfer =>
      event.name === 'UsdcTransferred' &&
      same(event.to, row.payee_wallet) &&
      event.amountMicro === row.amount_micro &&
      !same(event.from, escrow) &&
      (row.payer_wallet === null || same(event.from, row.payer_wallet)),
  )
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
