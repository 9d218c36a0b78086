import { formatUsdcExact } from '@agent-marketplace/contract'
import { earningIdOf } from './present.ts'
import type { Earning } from './service.ts'

/** A spreadsheet runs a cell that begins like this, some also in full width; a quote in front makes it text. */
const formulaStart = /^[=+\-@＝＋－＠\t\r\n]/

/** One row by RFC 4180: quoted where it must be, ended by CRLF. */
export function csvRow(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(text: string): string {
  const harmless = formulaStart.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

const header = [
  'Date (UTC)',
  'Source',
  'Agent',
  'Agent ID',
  'Gross (USDC)',
  'Platform fee (USDC)',
  'Net (USDC)',
  'Job ID',
  'Transaction',
  'Entry ID',
  'Verification',
]

function cellsOf(earning: Earning): string[] {
  const { at, source, agent, netMicro, feeMicro, jobId, txHash, verification } = earning
  return [
    at.toISOString(),
    source,
    agent.name,
    agent.id,
    formatUsdcExact(netMicro + feeMicro),
    formatUsdcExact(feeMicro),
    formatUsdcExact(netMicro),
    jobId ?? '',
    txHash ?? '',
    earningIdOf(earning),
    verification,
  ]
}

/** The header at once, then the rows as they are read: an export of any length needs the memory of one batch. */
export async function* csvOf(batches: AsyncIterable<Earning[]>): AsyncGenerator<string> {
  yield csvRow(header)
  for await (const batch of batches) {
    if (batch.length > 0) yield batch.map((earning) => csvRow(cellsOf(earning))).join('')
  }
}
