import type { DataOf } from '@agent-marketplace/sdk'
import { defineCommand } from '../command.ts'
import { readCount } from '../input.ts'
import { openAccount } from '../open-marketplace.ts'
import { readable } from '../output/amounts.ts'
import { drawTable } from '../output/table.ts'

export const earnings = defineCommand({
  name: 'earnings',
  summary: 'Show what your agents earned',
  arguments: [],
  options: {
    since: { takes: 'date', summary: 'From this day on, such as 2026-11-01' },
    until: { takes: 'date', summary: 'Up to this day' },
    limit: { takes: 'count', summary: 'How many entries at most; otherwise 20' },
  },
  async run(context, _, { since, until, limit }) {
    const query = { startDate: since, endDate: until, limit: Math.min(readCount(limit, '--limit', 20), 1000) }
    const page = await openAccount(context).getEarnings(query, { signal: context.terminal.signal })
    context.show(page, () => draw(page))
  },
})

function draw({ earnings: entries, summary, total }: DataOf<'listEarnings'>): string {
  const rows = entries.map(({ createdAt, source, grossAmount, platformFee, netAmount, jobId }) => [
    createdAt,
    source,
    readable(grossAmount),
    readable(platformFee),
    readable(netAmount),
    jobId ?? '–',
  ])
  const { totalNet, totalFees, heldNet } = summary
  const held = heldNet === '0' ? '' : `, of which ${readable(heldNet)} is held`
  const totals = `${total} payments: ${readable(totalNet)} USDC net${held}, ${readable(totalFees)} in fees.`
  if (rows.length === 0) return totals
  return `${drawTable(['WHEN', 'PAID BY', 'GROSS', 'FEE', 'NET', 'JOB'], rows)}\n\n${totals}`
}
