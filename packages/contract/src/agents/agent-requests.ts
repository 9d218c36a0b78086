import { type Static, Type } from 'typebox'
import {
  AGENT_DESCRIPTION_MAX_LENGTH,
  AGENT_NAME_MAX_LENGTH,
  MAX_SERVICES,
  MAX_SKILLS,
  SERVICE_NAME_MAX_LENGTH,
  TAG_MAX_LENGTH,
  URL_MAX_LENGTH,
} from '../base/lengths.ts'
import { Amount, AmountOrZero, nullableString, oneOf, text } from '../base/shapes.ts'
import { MAX_DEADLINE_HOURS } from '../money/pricing.ts'
import { customOrderSettings, DEFAULT_CUSTOM_ORDERS } from '../money/recourse.ts'
import { customOrdersDescription } from './agent-records.ts'
import { languageDescription, profileLanguages } from './profile-language.ts'
import { newServiceTerms } from './service-terms.ts'

/** What sellers send about their agents. Form B calls `category` type and `description` bio. */

const name = text(AGENT_NAME_MAX_LENGTH, { examples: ['Ledger Lark'] })
const description = text(AGENT_DESCRIPTION_MAX_LENGTH, {
  examples: ['Reconciles on-chain payments with your books, to the last micro-unit.'],
})
const category = text(TAG_MAX_LENGTH, { examples: ['finance'] })
const hourlyRateUsdc = Type.String({ ...AmountOrZero, description: 'Price of an hour in USDC micro-units.' })
const ownHourlyRateUsdc = Type.Optional(
  nullableString({
    ...AmountOrZero,
    description:
      'Hourly rate in USDC micro-units. Null means no hourly rate; the lowest service price is used instead.',
  }),
)
const avatarUrl = Type.Optional(
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    maxLength: URL_MAX_LENGTH,
    pattern: '^(https|ipfs)://[^\\s]+$',
    description: 'A picture, by https or ipfs.',
    examples: ['https://cdn.example.com/lark.png'],
  }),
)
const skills = Type.Array(text(TAG_MAX_LENGTH), {
  maxItems: MAX_SKILLS,
  examples: [['accounting', 'solidity']],
})

export const NewAgentService = Type.Object(
  {
    name: text(SERVICE_NAME_MAX_LENGTH, { examples: ['Monthly reconciliation'] }),
    priceUSDC: Type.String({ ...Amount, description: 'Price in USDC micro-units.' }),
    deliveryTime: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_DEADLINE_HOURS,
        default: 24,
        description: 'Hours from payment to delivery.',
        examples: [24],
      }),
    ),
    x402Enabled: Type.Optional(
      Type.Boolean({ default: true, description: 'Whether it may be bought by x402.' }),
    ),
    ...newServiceTerms,
  },
  { title: 'NewAgentService' },
)
const services = Type.Array(NewAgentService, { maxItems: MAX_SERVICES })

export const NewGuardrails = Type.Object(
  {
    sessionCapUsdc: Type.Optional(
      Type.String({
        ...AmountOrZero,
        description: 'Most that may leave the wallet within 24 hours, in micro-units.',
      }),
    ),
    perTxLimitUsdc: Type.Optional(
      Type.String({ ...AmountOrZero, description: 'Most that one transfer may carry, in micro-units.' }),
    ),
    allowedSkills: Type.Optional(
      Type.Array(text(TAG_MAX_LENGTH), {
        maxItems: MAX_SKILLS,
        description: 'Skills that the agent may pay for. Empty: all.',
      }),
    ),
  },
  { title: 'NewGuardrails', description: 'Limits on what the service may spend from the agent’s wallet.' },
)

/** What form B knows and form A need not name: sent in either form, it counts. */
const customOrders = oneOf(customOrderSettings, {
  description: customOrdersDescription,
  examples: ['ON_REQUEST'],
})
const newCustomOrders = Type.Optional(
  oneOf(customOrderSettings, { description: customOrdersDescription, default: DEFAULT_CUSTOM_ORDERS }),
)

const language = Type.Optional(
  oneOf(profileLanguages, { description: languageDescription, examples: ['en'] }),
)

const offerFields = {
  skills: Type.Optional(skills),
  services: Type.Optional(services),
  guardrails: Type.Optional(NewGuardrails),
  language,
}

export const AgentCreateA = Type.Object(
  {
    name,
    description,
    category,
    hourlyRateUsdc,
    avatarUrl,
    ...offerFields,
    customOrders: newCustomOrders,
  },
  { title: 'AgentCreateRequestA' },
)
export type AgentCreateA = Static<typeof AgentCreateA>

export const AgentCreateB = Type.Object(
  {
    name,
    type: category,
    bio: description,
    hourlyRateUsdc: ownHourlyRateUsdc,
    ...offerFields,
    customOrders: newCustomOrders,
    avatarUrl,
  },
  { title: 'AgentCreateRequestB' },
)
export type AgentCreateB = Static<typeof AgentCreateB>

export const AgentUpdate = Type.Object(
  {
    name: Type.Optional(name),
    description: Type.Optional(description),
    bio: Type.Optional(Type.String({ ...description, description: 'The same as `description`.' })),
    category: Type.Optional(category),
    type: Type.Optional(Type.String({ ...category, description: 'The same as `category`.' })),
    hourlyRateUsdc: ownHourlyRateUsdc,
    avatarUrl,
    ...offerFields,
    customOrders: Type.Optional(customOrders),
  },
  { title: 'AgentUpdate', minProperties: 1 },
)
export type AgentUpdate = Static<typeof AgentUpdate>

export const exampleAgentA = {
  name: 'Ledger Lark',
  description: 'Reconciles on-chain payments with your books, to the last micro-unit.',
  category: 'finance',
  hourlyRateUsdc: '25000000',
  avatarUrl: 'https://cdn.example.com/lark.png',
}

export const exampleAgentB = {
  name: 'Ledger Lark',
  type: 'finance',
  bio: 'Reconciles on-chain payments with your books, to the last micro-unit.',
  skills: ['accounting', 'solidity'],
  services: [{ name: 'Monthly reconciliation', priceUSDC: '150000000', deliveryTime: 24, x402Enabled: true }],
  guardrails: { sessionCapUsdc: '500000000', perTxLimitUsdc: '100000000', allowedSkills: ['accounting'] },
}
