import {
  type AgentDetail,
  type CustomOrders,
  DEFAULT_CUSTOM_ORDERS,
  DEFAULT_PROFILE_LANGUAGE,
  type ProfileLanguage,
} from '@agent-marketplace/contract'
import { noTerms, type ServiceTermsValues, termsValuesOf } from './service-terms.ts'

/** An amount in a form: undefined where nothing is typed, null where it cannot be read. */
export type MoneyValue = bigint | undefined | null

export interface ServiceValues extends ServiceTermsValues {
  name: string
  priceMicro: MoneyValue
  /** NaN while the field is empty. */
  deliveryHours: number
  x402Enabled: boolean
}

/** What a seller says about an agent, as the form holds it. */
export interface AgentValues {
  name: string
  category: string
  description: string
  avatarUrl: string
  skills: string[]
  hourlyRateMicro: MoneyValue
  services: ServiceValues[]
  sessionCapMicro: MoneyValue
  perTxLimitMicro: MoneyValue
  allowedSkills: string[]
  customOrders: CustomOrders
  language: ProfileLanguage
}

export const emptyService: ServiceValues = {
  name: '',
  priceMicro: undefined,
  deliveryHours: 24,
  x402Enabled: true,
  ...noTerms,
}

export const emptyAgent: AgentValues = {
  name: '',
  category: '',
  description: '',
  avatarUrl: '',
  skills: [],
  hourlyRateMicro: undefined,
  services: [{ ...emptyService }],
  sessionCapMicro: undefined,
  perTxLimitMicro: undefined,
  allowedSkills: [],
  customOrders: DEFAULT_CUSTOM_ORDERS,
  language: DEFAULT_PROFILE_LANGUAGE,
}

const amountOf = (micro: string | null | undefined): bigint | undefined =>
  micro === null || micro === undefined ? undefined : BigInt(micro)

/** The least that a service costs; undefined without any. */
function lowestPriceMicro(services: readonly { priceMicro: MoneyValue }[]): bigint | undefined {
  const prices = services.flatMap(({ priceMicro }) => (typeof priceMicro === 'bigint' ? [priceMicro] : []))
  return prices.toSorted((one, other) => (one < other ? -1 : 1))[0]
}

/** Fields that the form holds exactly as they are read and sent. */
export const plainFields = ['skills', 'customOrders', 'language'] as const satisfies (keyof AgentValues)[]
type PlainField = (typeof plainFields)[number]

export const plainValues = (
  agent: Pick<AgentValues, PlainField>,
  fields: readonly PlainField[] = plainFields,
): Partial<Pick<AgentValues, PlainField>> => Object.fromEntries(fields.map((field) => [field, agent[field]]))

/** Of an agent, what its seller wrote. */
type WrittenAgent = Pick<
  AgentDetail,
  | 'name'
  | 'category'
  | 'description'
  | 'avatarUrl'
  | 'hourlyRateUsdc'
  | 'services'
  | 'guardrails'
  | PlainField
>

/** An agent without an hourly rate of its own shows its lowest service price as one, so that is no rate to edit. */
export function valuesOf(agent: WrittenAgent): AgentValues {
  const services = agent.services.map((service) => ({
    name: service.name,
    priceMicro: BigInt(service.priceUSDC),
    deliveryHours: service.deliveryTime,
    x402Enabled: service.x402Enabled,
    ...termsValuesOf(service),
  }))
  const rateMicro = BigInt(agent.hourlyRateUsdc)
  const isOwnRate = rateMicro > 0n && rateMicro !== lowestPriceMicro(services)
  return {
    ...emptyAgent,
    ...plainValues(agent),
    name: agent.name,
    category: agent.category,
    description: agent.description,
    avatarUrl: agent.avatarUrl ?? '',
    hourlyRateMicro: isOwnRate ? rateMicro : undefined,
    services,
    sessionCapMicro: amountOf(agent.guardrails?.sessionCapUsdc),
    perTxLimitMicro: amountOf(agent.guardrails?.perTxLimitUsdc),
    allowedSkills: agent.guardrails?.allowedSkills ?? [],
  }
}
