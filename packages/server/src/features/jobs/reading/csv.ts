import { formatUsdcExact } from '@agent-marketplace/contract'
import type { FiledJob } from './list-store.ts'
import { shownJob } from './present.ts'

export const jobsHeader = [
  'Opened (UTC)',
  'Job ID',
  'Title',
  'Your role',
  'Agent',
  'Agent ID',
  'Client wallet',
  'Status',
  'Payment method',
  'Price (USDC)',
  'Platform fee (USDC)',
  'Agent receives (USDC)',
  'Delivery due (UTC)',
  'Ended (UTC)',
  'Service ID',
  'Refund',
]

const timeOf = (time: Date | null): string => time?.toISOString() ?? ''

/** As the owner sees it, who may be on both sides; it stands as in the list. */
export const jobCellsFor =
  (ownerId: string) =>
  (row: FiledJob): string[] => {
    const job = shownJob(row)
    return [
      job.createdAt.toISOString(),
      job.id,
      job.title,
      job.clientId === ownerId ? 'CLIENT' : 'SELLER',
      job.agentName,
      job.agentId,
      job.clientWallet,
      job.status,
      job.paymentMethod,
      formatUsdcExact(job.priceMicro),
      formatUsdcExact(job.feeMicro),
      formatUsdcExact(job.netMicro),
      timeOf(job.dueAt),
      timeOf(job.endedAt),
      job.serviceId ?? '',
      job.refundState ?? '',
    ]
  }
