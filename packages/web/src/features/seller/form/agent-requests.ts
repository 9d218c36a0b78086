import type { AgentCreateB, AgentUpdate } from '@agent-marketplace/contract'
import {
  type AgentValues,
  type MoneyValue,
  plainFields,
  plainValues,
  type ServiceValues,
} from './agent-values.ts'
import { termsOf } from './service-terms.ts'

const isAmount = (value: MoneyValue): value is bigint => typeof value === 'bigint'

const servicesOf = (services: readonly ServiceValues[]): NonNullable<AgentUpdate['services']> =>
  services.map(({ name, priceMicro, deliveryHours, x402Enabled, ...terms }) => ({
    name: name.trim(),
    priceUSDC: String(priceMicro ?? 0n),
    deliveryTime: deliveryHours,
    x402Enabled,
    ...termsOf(terms),
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

/** No rate of its own is null: the lowest service price then stands for it. */
const rateOf = ({ hourlyRateMicro }: AgentValues): string | null =>
  isAmount(hourlyRateMicro) ? hourlyRateMicro.toString() : null

export function toCreation(values: AgentValues): AgentCreateB {
  return {
    ...plainValues(values),
    name: values.name.trim(),
    bio: values.description.trim(),
    type: values.category.trim(),
    avatarUrl: values.avatarUrl.trim() || null,
    hourlyRateUsdc: rateOf(values),
    services: servicesOf(values.services),
    ...(hasLimits(values) ? { guardrails: guardrailsOf(values) } : {}),
  }
}

/** Only what changed; undefined when nothing did. */
export function toUpdate(values: AgentValues, before: AgentValues): AgentUpdate | undefined {
  const changed = plainFields.filter((field) => differ(values[field], before[field]))
  const update: AgentUpdate = plainValues(values, changed)
  for (const field of ['name', 'description', 'category'] as const) {
    if (values[field].trim() !== before[field]) update[field] = values[field].trim()
  }
  if (values.avatarUrl.trim() !== before.avatarUrl) update.avatarUrl = values.avatarUrl.trim() || null
  if (differ(servicesOf(values.services), servicesOf(before.services))) {
    update.services = servicesOf(values.services)
  }
  if (differ(guardrailsOf(values), guardrailsOf(before))) update.guardrails = guardrailsOf(values)
  if (rateOf(values) !== rateOf(before)) update.hourlyRateUsdc = rateOf(values)
  return Object.keys(update).length > 0 ? update : undefined
}

const differ = (one: unknown, other: unknown): boolean => JSON.stringify(one) !== JSON.stringify(other)
