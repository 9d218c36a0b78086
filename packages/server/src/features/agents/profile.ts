import {
  type AgentCreateA,
  type AgentCreateB,
  type AgentUpdate,
  type CustomOrders,
  DEFAULT_CUSTOM_ORDERS,
  DEFAULT_PROFILE_LANGUAGE,
  invalidField,
  type ProfileLanguage,
  parseMicro,
} from '@agent-marketplace/contract'
import type { NewId } from '../../platform/id/id.ts'
import { distinctByKey } from './rules.ts'
import { readTerms, type ServiceTerms } from './service-terms.ts'

/** What a seller says about an agent, in either form. */
export interface AgentProfile {
  name: string
  description: string
  category: string
  avatarUrl: string | null
  /** Null where none was given. */
  hourlyRateMicro: bigint | null
  skills: string[]
  services: ServiceOffer[]
  guardrails: SpendLimits | null
  customOrders: CustomOrders
  language: ProfileLanguage
}

export interface ServiceOffer {
  id: string
  name: string
  priceMicro: bigint
  deliveryHours: number
  x402Enabled: boolean
  terms: ServiceTerms
}

export interface SpendLimits {
  sessionCapMicro: bigint | null
  perTxLimitMicro: bigint | null
  allowedSkills: string[]
}

const DEFAULT_DELIVERY_HOURS = 24

type CreateBody = { form: 'a'; value: AgentCreateA } | { form: 'b'; value: AgentCreateB }

export function profileOf(body: CreateBody, newId: NewId): AgentProfile {
  const { name, skills = [], services = [], guardrails, avatarUrl = null, hourlyRateUsdc = null } = body.value
  const { customOrders = DEFAULT_CUSTOM_ORDERS, language = DEFAULT_PROFILE_LANGUAGE } = body.value
  const { description, category } =
    body.form === 'a' ? body.value : { description: body.value.bio, category: body.value.type }
  return {
    name: name.trim(),
    description: description.trim(),
    category: category.trim(),
    avatarUrl,
    hourlyRateMicro: rateOf(hourlyRateUsdc),
    skills: distinctByKey(skills),
    services: offersOf(services, [], newId),
    guardrails: guardrails ? limitsOf(guardrails) : null,
    customOrders,
    language,
  }
}

/** What is given replaces the old, by the name that either form has for it; the rest stays. */
export function changedProfile(old: AgentProfile, update: AgentUpdate, newId: NewId): AgentProfile {
  const { name, hourlyRateUsdc, avatarUrl, skills, services, guardrails } = update
  const description = eitherOf(update, 'description', 'bio')
  const category = eitherOf(update, 'category', 'type')
  return {
    name: name?.trim() ?? old.name,
    description: description?.trim() ?? old.description,
    category: category?.trim() ?? old.category,
    avatarUrl: avatarUrl === undefined ? old.avatarUrl : avatarUrl,
    hourlyRateMicro: hourlyRateUsdc === undefined ? old.hourlyRateMicro : rateOf(hourlyRateUsdc),
    skills: skills ? distinctByKey(skills) : old.skills,
    services: services ? offersOf(services, old.services, newId) : old.services,
    guardrails: guardrails ? limitsOf(guardrails) : old.guardrails,
    customOrders: update.customOrders ?? old.customOrders,
    language: update.language ?? old.language,
  }
}

const rateOf = (rate: string | null): bigint | null => (rate === null ? null : parseMicro(rate))

type TwoNamed = 'description' | 'bio' | 'category' | 'type'

function eitherOf(update: AgentUpdate, name: TwoNamed, otherName: TwoNamed): string | undefined {
  const [value, other] = [update[name], update[otherName]]
  if (value !== undefined && other !== undefined && value !== other) {
    throw invalidField(`/${otherName}`, `is another name of ${name}, and says something else`)
  }
  return value ?? other
}

/** The agent's lowest price: "0" without a rate and without services. */
export function lowestPriceMicro({ hourlyRateMicro, services }: AgentProfile): bigint {
  const prices = services.map(({ priceMicro }) => priceMicro)
  if (hourlyRateMicro !== null) prices.push(hourlyRateMicro)
  return prices.sort((a, b) => (a < b ? -1 : 1))[0] ?? 0n
}

/** What the first sample work is called: kept beside the samples, because lists show it and samples are long. */
export function sampleTitleOf({ services }: Pick<AgentProfile, 'services'>): string | null {
  const titles = services.flatMap(({ name, terms }) =>
    (terms.examples ?? []).map(({ title }) => title ?? name),
  )
  return titles[0] ?? null
}

/** A service that keeps its name keeps its id. */
function offersOf(
  services: NonNullable<AgentUpdate['services']>,
  old: readonly ServiceOffer[],
  newId: NewId,
): ServiceOffer[] {
  const oldIds = new Map(old.map(({ name, id }) => [name, id]))
  return services.map((service, index) => {
    const { name, priceUSDC, deliveryTime, x402Enabled } = service
    const trimmed = name.trim()
    const id = oldIds.get(trimmed) ?? newId()
    oldIds.delete(trimmed)
    return {
      id,
      name: trimmed,
      priceMicro: parseMicro(priceUSDC),
      deliveryHours: deliveryTime ?? DEFAULT_DELIVERY_HOURS,
      x402Enabled: x402Enabled ?? true,
      terms: readTerms(service, `/services/${index}`),
    }
  })
}

function limitsOf({
  sessionCapUsdc,
  perTxLimitUsdc,
  allowedSkills = [],
}: NonNullable<AgentUpdate['guardrails']>): SpendLimits {
  return {
    sessionCapMicro: sessionCapUsdc === undefined ? null : parseMicro(sessionCapUsdc),
    perTxLimitMicro: perTxLimitUsdc === undefined ? null : parseMicro(perTxLimitUsdc),
    allowedSkills: distinctByKey(allowedSkills),
  }
}
