import type { Guardrails, Withdrawal } from '@agent-marketplace/contract'

/** Pending withdrawals are no longer available. */
export function availableMicro(
  balanceMicro: bigint,
  agentId: string,
  withdrawals: readonly Pick<Withdrawal, 'agentId' | 'status' | 'amount'>[],
): bigint {
  const promisedMicro = withdrawals
    .filter((one) => one.agentId === agentId && (one.status === 'REQUESTED' || one.status === 'SUBMITTED'))
    .reduce((sum, { amount }) => sum + BigInt(amount), 0n)
  return balanceMicro > promisedMicro ? balanceMicro - promisedMicro : 0n
}

type Limits = Pick<Guardrails, 'perTxLimitUsdc' | 'sessionCapUsdc'>

/** The smallest of the limits that the seller has set; undefined without any. */
export function limitMicro(guardrails: Limits | null | undefined): bigint | undefined {
  const limits = [guardrails?.perTxLimitUsdc, guardrails?.sessionCapUsdc].flatMap((limit) =>
    limit === null || limit === undefined ? [] : [BigInt(limit)],
  )
  return limits.toSorted((one, other) => (one < other ? -1 : 1))[0]
}

/** The most that one withdrawal can carry. */
export function mostMicro(available: bigint, guardrails: Limits | null | undefined): bigint {
  const limit = limitMicro(guardrails)
  return limit !== undefined && limit < available ? limit : available
}
