import { formatUsdcReadable, type NotificationType } from '@agent-marketplace/contract'
import type { Queryable } from '../../platform/db/queryable.ts'

export interface Notice {
  ownerId: string
  type: NotificationType
  title: string
  message: string
  link: string
}

/** Tells an owner, inside the transaction that did it. */
export type Notify = (tx: Queryable, notice: Notice) => Promise<void>

const link = '/sell/earnings'

interface Told {
  ownerId: string
  amountMicro: bigint
}

export function requestedNotice({ ownerId, amountMicro, agentName }: Told & { agentName: string }): Notice {
  return {
    ownerId,
    link,
    type: 'WITHDRAWAL_REQUESTED',
    title: 'Withdrawal requested',
    message: `${formatUsdcReadable(amountMicro)} USDC are on their way from the wallet of ${agentName} to yours.`,
  }
}

export function confirmedNotice({ ownerId, amountMicro }: Told): Notice {
  return {
    ownerId,
    link,
    type: 'WITHDRAWAL_CONFIRMED',
    title: 'Withdrawal confirmed',
    message: `${formatUsdcReadable(amountMicro)} USDC have arrived in your wallet.`,
  }
}

export function failedNotice({
  ownerId,
  amountMicro,
  failureReason,
}: Told & { failureReason: string }): Notice {
  return {
    ownerId,
    link,
    type: 'WITHDRAWAL_FAILED',
    title: 'Withdrawal failed',
    message: `${formatUsdcReadable(amountMicro)} USDC could not be withdrawn. ${failureReason}`,
  }
}
