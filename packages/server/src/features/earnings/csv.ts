import { formatUsdcExact } from '@agent-marketplace/contract'
import { earningIdOf } from './present.ts'
import type { Earning } from './service.ts'

export const earningsHeader = [
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
  'Job title',
]

export function earningCells(earning: Earning): string[] {
  const { at, source, agent, netMicro, feeMicro, jobId, jobTitle, txHash, verification } = earning
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
    jobTitle ?? '',
  ]
}
