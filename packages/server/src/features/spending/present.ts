import {
  formatMicro,
  type listSpending,
  type SpendingEntry,
  type SpendingKind,
} from '@agent-marketplace/contract'
import type { ResponseOf } from '../../platform/http/call.ts'
import type { SpendingPage } from './service.ts'
import type { SpendingRow, Sums } from './store.ts'

/** An entry has the id of its journal entry, spelled as every id of the interface is. */
export const spendingIdOf = ({ entryId }: SpendingRow): string => `c${entryId.slice(1)}`

const presentAgent = ({ agentId: id, agentName: name, agentWallet: walletAddress }: SpendingRow) =>
  id === null || name === null || walletAddress === null ? null : { id, name, walletAddress }

export function presentEntry(row: SpendingRow): SpendingEntry {
  return {
    id: spendingIdOf(row),
    kind: row.kind,
    paid: formatMicro(row.paidMicro),
    refunded: formatMicro(row.refundedMicro),
    jobId: row.jobId,
    jobTitle: row.jobTitle,
    agent: presentAgent(row),
    txHash: row.txHash,
    createdAt: row.at.toISOString(),
  }
}

const presentSums = ({ paidMicro, refundedMicro }: Sums) => ({
  paid: formatMicro(paidMicro),
  refunded: formatMicro(refundedMicro),
  cost: (paidMicro - refundedMicro).toString(),
})

const nothing: Sums = { paidMicro: 0n, refundedMicro: 0n }
const add = (a: Sums, b: Sums): Sums => ({
  paidMicro: a.paidMicro + b.paidMicro,
  refundedMicro: a.refundedMicro + b.refundedMicro,
})

export function presentSpending(
  { rows, total, byKind, byMonth, byAgent }: SpendingPage,
  page: { limit: number; offset: number },
): ResponseOf<typeof listSpending> {
  const sumsOf = (kind: SpendingKind) => presentSums(byKind.find((sums) => sums.kind === kind) ?? nothing)
  return {
    data: {
      spending: rows.map(presentEntry),
      summary: {
        ...presentSums(byKind.reduce(add, nothing)),
        byKind: {
          JOB: sumsOf('JOB'),
          SUBSCRIPTION: sumsOf('SUBSCRIPTION'),
          VERIFICATION: sumsOf('VERIFICATION'),
        },
        byMonth: byMonth.map(({ month, ...sums }) => ({ month, ...presentSums(sums) })),
        byAgent: byAgent.map(({ agentId, agentName, agentWallet, jobs, ...sums }) => ({
          agent: { id: agentId, name: agentName, walletAddress: agentWallet },
          jobs,
          ...presentSums(sums),
        })),
      },
      total,
      ...page,
    },
  }
}
