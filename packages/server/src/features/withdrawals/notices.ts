import { formatUsdcReadable } from '@agent-marketplace/contract'
import type { Notice } from '../../platform/notices/notice.ts'

const link = '/sell/earnings'

interface NoticeFacts {
  ownerId: string
  amountMicro: bigint
}

export function requestedNotice({
  ownerId,
  amountMicro,
  agentName,
}: NoticeFacts & { agentName: string }): Notice {
  return {
    ownerId,
    link,
    type: 'WITHDRAWAL_REQUESTED',
    title: 'Withdrawal requested',
    message: `${formatUsdcReadable(amountMicro)} USDC are being sent from the wallet of ${agentName} to yours.`,
  }
}

export function confirmedNotice({ ownerId, amountMicro }: NoticeFacts): Notice {
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
}: NoticeFacts & { failureReason: string }): Notice {
  return {
    ownerId,
    link,
    type: 'WITHDRAWAL_FAILED',
    title: 'Withdrawal failed',
    message: `${formatUsdcReadable(amountMicro)} USDC could not be withdrawn. ${failureReason}`,
  }
}
