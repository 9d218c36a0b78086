import { formatMicro, type Receipt } from '@agent-marketplace/contract'
import { linesFor, numberOf, showsPayout } from './figures.ts'
import type { FoundReceipt } from './service.ts'

const isoOf = (time: Date | null): string | null => time?.toISOString() ?? null

/** The page shows this, and the PDF is drawn from it. */
export function presentReceipt({ copy, job, figures, chain, ...found }: FoundReceipt): Receipt {
  const isForPayout = showsPayout(copy)
  return {
    number: numberOf(job.id),
    copy,
    jobId: job.id,
    title: job.title,
    status: job.status,
    client: { legalName: found.clientName, walletAddress: job.clientWallet },
    seller: { legalName: found.sellerName, walletAddress: job.sellerWallet },
    agent: { name: job.agentName, walletAddress: job.agentWallet },
    paymentMethod: job.paymentMethod,
    network: { name: chain.name, chainId: chain.chainId, currency: 'USDC', token: chain.token },
    orderedAt: job.createdAt.toISOString(),
    paidAt: found.paidAt.toISOString(),
    deliveredAt: isoOf(job.deliveredAt),
    endedAt: isoOf(job.endedAt),
    lines: linesFor(copy, figures.lines).map(({ type, amountMicro, at, txHash }) => ({
      type,
      amount: formatMicro(amountMicro),
      at: at.toISOString(),
      txHash,
    })),
    totals: {
      paid: formatMicro(figures.paidMicro),
      refunded: formatMicro(figures.refundedMicro),
      held: formatMicro(figures.heldMicro),
      cost: formatMicro(figures.costMicro),
      fee: isForPayout ? formatMicro(figures.feeMicro) : null,
      net: isForPayout ? formatMicro(figures.netMicro) : null,
    },
  }
}
