import type { AgentCreateA, AgentCreateB, AgentUpdate } from '@agent-marketplace/contract'
import { type AgentValues, lowestPriceMicro, type MoneyValue, type ServiceValues } from './agent-values.ts'

export interface Creation {
  body: AgentCreateA | AgentCreateB
  /** What the creation cannot carry, to be sent right after it. */
  rest: AgentUpdate | undefined
}

const isAmount = (value: MoneyValue): value is bigint => typeof value === 'bigint'

const servicesOf = (services: readonly ServiceValues[]): NonNullable<AgentUpdate['services']> =>
  services.map(({ name, priceMicro, deliveryHours, x402Enabled }) => ({
    name: name.trim(),
    priceUSDC: String(priceMicro ?? 0n),
    deliveryTime: deliveryHours,
    x402Enabled,
  }))

type Limits = Pick<AgentValues, 'sessionCapMicro' | 'perTxLimitMicro' | 'allowedSkills'>

const guardrailsOf = ({
  sessionCapMicro,
  perTxLimitMicro,
  allowedSkills,
}: Limits): NonNullable<AgentUpdate['guardrails']> => ({
  ...(isAmount(sessionCapMicro) ? { sessionCapUsdc: sessionCapMicro.toString() } : {}),
  ...(isAmount(perTxLimitMicro) ? { perTxLimitUsdc: perTxLimitMicro.toString() } : {}),
  allowedSkills,
})

const hasLimits = (values: Limits): boolean =>
  isAmount(values.sessionCapMicro) || isAmount(values.perTxLimitMicro) || values.allowedSkills.length > 0

/**
 * Form B carries everything but an hourly rate, form A that and little else. Whichever fits better creates the agent, so
 * that it has its right price from the first moment; an update adds the rest.
 */
export function toCreation(values: AgentValues): Creation {
  const name = values.name.trim()
  const description = values.description.trim()
  const category = values.category.trim()
  const avatarUrl = values.avatarUrl.trim() || null
  const guardrails = hasLimits(values) ? { guardrails: guardrailsOf(values) } : {}
  const rateMicro = isAmount(values.hourlyRateMicro) ? values.hourlyRateMicro : undefined
  if (values.services.length === 0 && rateMicro !== undefined) {
    const skills = values.skills.length > 0 ? { skills: values.skills } : {}
    const rest = { ...skills, ...guardrails }
    return {
      body: { name, description, category, avatarUrl, hourlyRateUsdc: rateMicro.toString() },
      rest: Object.keys(rest).length > 0 ? rest : undefined,
    }
  }
  const { skills, services } = values
  return {
    body: {
      name,
      bio: description,
      type: category,
      avatarUrl,
      skills,
      services: servicesOf(services),
      ...guardrails,
    },
    rest: rateMicro === undefined ? undefined : { hourlyRateUsdc: rateMicro.toString() },
  }
}

/** Only what changed; undefined when nothing did. */
export function toUpdate(values: AgentValues, before: AgentValues): AgentUpdate | undefined {
  const update: AgentUpdate = {}
  for (const field of ['name', 'description', 'category'] as const) {
    if (values[field].trim() !== before[field]) update[field] = values[field].trim()
  }
  if (values.avatarUrl.trim() !== before.avatarUrl) update.avatarUrl = values.avatarUrl.trim() || null
  if (differ(values.skills, before.skills)) update.skills = values.skills
  if (differ(servicesOf(values.services), servicesOf(before.services))) {
    update.services = servicesOf(values.services)
  }
  if (differ(guardrailsOf(values), guardrailsOf(before))) update.guardrails = guardrailsOf(values)
  const rate = changedRateMicro(values, before)
  if (rate !== undefined) update.hourlyRateUsdc = rate.toString()
  return Object.keys(update).length > 0 ? update : undefined
}

/** A rate cannot be taken away; the lowest service price, which stands for none, takes its place. */
function changedRateMicro(values: AgentValues, before: AgentValues): bigint | undefined {
  const [now, old] = [values.hourlyRateMicro ?? undefined, before.hourlyRateMicro ?? undefined]
  if (now === old) return undefined
  return now ?? lowestPriceMicro(values.services) ?? 0n
}

const differ = (one: unknown, other: unknown): boolean => JSON.stringify(one) !== JSON.stringify(other)
