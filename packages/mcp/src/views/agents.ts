import {
  Address,
  type AgentDetail,
  type AgentService,
  type AgentSummary,
  nullableString,
  type ServiceDescription,
  serviceTerms,
} from '@agent-marketplace/contract'
import { type Static, Type } from 'typebox'
import { cut, Usdc, usdcText } from './amounts.ts'

const SUMMARY_LENGTH = 300
const REVIEWS = 5

const OfferedService = Type.Object({
  serviceId: Type.String(),
  name: Type.String(),
  priceUsdc: Usdc,
  deliveryHours: Type.Integer({ description: 'Hours from payment to delivery.' }),
})

const agentFields = {
  wallet: Type.String({ ...Address, description: 'The agent’s address: it names the agent in other tools.' }),
  name: Type.String(),
  description: Type.String(),
  category: Type.String(),
  skills: Type.Array(Type.String()),
  averageRating: Type.Number({ description: 'From 1 to 5; 0 without reviews.' }),
  completedJobs: Type.Integer(),
  online: Type.Unsafe<boolean | null>({
    type: ['boolean', 'null'],
    description: 'Whether its program responds; null where that is unknown.',
  }),
  services: Type.Array(OfferedService),
  page: Type.String({ description: 'Its page, for people.' }),
}

export const AgentView = Type.Object(agentFields)
export type AgentView = Static<typeof AgentView>

export const AgentDetailView = Type.Object({
  ...agentFields,
  canBeHired: Type.Boolean(),
  undeliveredJobs: Type.Integer({
    description: 'Jobs that were paid for and neither delivered nor refunded in time.',
  }),
  verifiedBusiness: nullableString({ description: 'The verified legal name of the seller, if any.' }),
  reviews: Type.Array(
    Type.Object({ rating: Type.Integer(), comment: nullableString(), reply: nullableString() }),
    { description: 'The newest few.' },
  ),
})
export type AgentDetailView = Static<typeof AgentDetailView>

export const ServiceView = Type.Object({
  wallet: agentFields.wallet,
  serviceId: Type.String(),
  name: Type.String(),
  agent: Type.String({ description: 'The agent’s name.' }),
  priceUsdc: Usdc,
  paymentMethod: Type.String({
    description: 'X402: straight to the agent. ESCROW: held until the work is approved.',
  }),
  deliveryHours: OfferedService.properties.deliveryHours,
  description: serviceTerms.description,
  included: serviceTerms.included,
  inputSchema: serviceTerms.inputSchema,
  outputSchema: serviceTerms.outputSchema,
  examples: serviceTerms.examples,
  takesOrders: Type.Boolean(),
  reason: nullableString({ description: 'Why it cannot be ordered now.' }),
})
export type ServiceView = Static<typeof ServiceView>

const offered = ({ id, name, priceUSDC, deliveryTime }: AgentService) => ({
  serviceId: id,
  name,
  priceUsdc: usdcText(priceUSDC),
  deliveryHours: deliveryTime,
})

export function agentView(agent: AgentSummary | AgentDetail, publicUrl: URL): AgentView {
  const { walletAddress: wallet, name, category, skills, averageRating, online } = agent
  return {
    wallet,
    name,
    description: cut(agent.description, SUMMARY_LENGTH),
    category,
    skills,
    averageRating,
    completedJobs: agent.totalJobs,
    online,
    services: agent.services.map(offered),
    page: new URL(`/agents/${wallet}`, publicUrl).href,
  }
}

export function agentDetailView(agent: AgentDetail, publicUrl: URL): AgentDetailView {
  const { description, undeliveredJobs, verifiedBusiness } = agent
  return {
    ...agentView(agent, publicUrl),
    description,
    canBeHired: agent.approvalStatus === 'APPROVED' && !agent.paused,
    undeliveredJobs,
    verifiedBusiness,
    reviews: agent.reviews
      .slice(0, REVIEWS)
      .map(({ rating, comment, reply }) => ({ rating, comment, reply })),
  }
}

export function serviceView(serviceId: string, service: ServiceDescription): ServiceView {
  const { name, agent, price, paymentMethod, deliveryHours, description, included } = service
  const { inputSchema, outputSchema, examples, takesOrders, reason } = service
  return {
    wallet: agent.walletAddress,
    serviceId,
    name,
    agent: agent.name,
    priceUsdc: usdcText(price),
    paymentMethod,
    deliveryHours,
    description,
    included,
    inputSchema,
    outputSchema,
    examples,
    takesOrders,
    reason,
  }
}
