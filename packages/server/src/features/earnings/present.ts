import {
  type EarningsEntry,
  formatMicro,
  type getEarningsSeries,
  type listEarnings,
} from '@agent-marketplace/contract'
import type { ResponseOf } from '../../platform/http/call.ts'
import type { DayOfEarnings, Earning, EarningsPage } from './service.ts'

/** An earning has the id of its journal entry, spelled as every id of the interface is. */
export const earningIdOf = ({ entryId }: Earning): string => `c${entryId.slice(1)}`

function presentEarning(earning: Earning): EarningsEntry {
  const { source, netMicro, feeMicro, agent, jobId, jobTitle, txHash, at, verification } = earning
  return {
    id: earningIdOf(earning),
    source,
    grossAmount: formatMicro(netMicro + feeMicro),
    platformFee: formatMicro(feeMicro),
    netAmount: formatMicro(netMicro),
    agentId: agent.id,
    jobId,
    jobTitle,
    txHash,
    createdAt: at.toISOString(),
    verification,
  }
}

export function presentEarnings(
  { earnings, total, netMicro, feeMicro, unverifiedMicro, heldMicro }: EarningsPage,
  page: { limit: number; offset: number },
): ResponseOf<typeof listEarnings> {
  return {
    data: {
      earnings: earnings.map(presentEarning),
      summary: {
        totalGross: formatMicro(netMicro + feeMicro),
        totalFees: formatMicro(feeMicro),
        totalNet: formatMicro(netMicro),
        unverifiedNet: formatMicro(unverifiedMicro),
        heldNet: formatMicro(heldMicro),
      },
      total,
      ...page,
    },
  }
}

export function presentSeries(days: DayOfEarnings[]): ResponseOf<typeof getEarningsSeries> {
  return {
    data: {
      points: days.map(({ date, escrowMicro, x402Micro, unverifiedMicro }) => ({
        date,
        escrowNet: formatMicro(escrowMicro),
        x402Net: formatMicro(x402Micro),
        totalNet: formatMicro(escrowMicro + x402Micro),
        unverifiedNet: formatMicro(unverifiedMicro),
      })),
    },
  }
}
