import { AppError, formatMicro } from '@agent-marketplace/contract'

/** What an owner allows the service to spend from an agent's wallet. Null and an empty list mean: no limit. */
export interface Guardrails {
  perTxLimitMicro: bigint | null
  sessionCapMicro: bigint | null
  allowedSkills: readonly string[]
}

export type Breach =
  | { guardrail: 'allowedSkills'; skill: string; allowed: readonly string[] }
  | { guardrail: 'perTxLimitUsdc'; limit: string; required: string }
  | { guardrail: 'sessionCapUsdc'; limit: string; spent: string; required: string }

export interface Spend {
  amountMicro: bigint
  /** The skill that is paid for; nothing is bought by a withdrawal, so it has none. */
  skill?: string | undefined
}

/** The first guardrail that a spend would break, given what this session has spent already. */
export function findBreach(
  guardrails: Guardrails,
  { amountMicro, skill }: Spend,
  spentMicro: bigint,
): Breach | undefined {
  const { perTxLimitMicro, sessionCapMicro, allowedSkills } = guardrails
  const required = formatMicro(amountMicro)
  if (skill !== undefined && allowedSkills.length > 0 && !allowedSkills.map(plain).includes(plain(skill))) {
    return { guardrail: 'allowedSkills', skill, allowed: allowedSkills }
  }
  if (perTxLimitMicro !== null && amountMicro > perTxLimitMicro) {
    return { guardrail: 'perTxLimitUsdc', limit: formatMicro(perTxLimitMicro), required }
  }
  if (sessionCapMicro !== null && spentMicro + amountMicro > sessionCapMicro) {
    const limit = formatMicro(sessionCapMicro)
    return { guardrail: 'sessionCapUsdc', limit, spent: formatMicro(spentMicro), required }
  }
  return undefined
}

const plain = (skill: string): string => skill.trim().toLowerCase()

const breachMessages: Record<Breach['guardrail'], string> = {
  allowedSkills: 'The agent may not pay for this skill.',
  perTxLimitUsdc: 'The amount is above what one transfer from the agent’s wallet may carry.',
  sessionCapUsdc: 'The amount is above what may still leave the agent’s wallet within 24 hours.',
}

/** FORBIDDEN where a spend would break a guardrail. */
export function checkGuardrails(guardrails: Guardrails, spend: Spend, spentMicro: bigint): void {
  const breach = findBreach(guardrails, spend, spentMicro)
  if (!breach) return
  throw new AppError('FORBIDDEN', { message: breachMessages[breach.guardrail], details: { ...breach } })
}
