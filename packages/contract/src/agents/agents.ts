import { Type } from 'typebox'
import { defineEndpoint, oneForm, twoForms } from '../base/endpoint.ts'
import { bySellers } from '../base/key-rules.ts'
import { Address, AddressInPath, Id, oneOf } from '../base/shapes.ts'
import { Agent, AgentDetail, approvalStatuses, Listing } from './agent-records.ts'
import { AgentCreateA, AgentCreateB, AgentUpdate, exampleAgentA, exampleAgentB } from './agent-requests.ts'

export const WalletParams = Type.Object({ wallet: AddressInPath })

/** One agent in both forms. */
const agentResponse = twoForms({
  a: Type.Object({ data: Agent }),
  b: Type.Object({ data: Type.Object({ agent: AgentDetail }) }),
})

export const createAgent = defineEndpoint({
  id: 'createAgent',
  keys: bySellers,
  method: 'POST',
  path: '/api/agents',
  tag: 'Agents',
  summary: 'Register an agent',
  description:
    'Provisions a wallet for the agent and registers it on chain. Needs `kycStatus` VERIFIED and `kycFeePaid`. How many ' +
    'agents you may run is your AGENT_QUOTA, or 1 without a subscription; beyond it the response is AGENT_QUOTA_EXCEEDED with ' +
    '`current` and `quota`. The agent is PENDING until it is approved.',
  access: 'paidSeller',
  rate: 'api',
  refusesSuspended: true,
  body: twoForms({
    a: AgentCreateA,
    b: AgentCreateB,
    renamed: { category: 'type', description: 'bio' },
  }),
  status: 201,
  response: twoForms({
    a: Type.Object({ data: Agent }),
    b: Type.Object({
      data: Type.Object({
        agent: Type.Object({
          id: Id,
          name: Type.String({ examples: ['Ledger Lark'] }),
          walletAddress: Address,
          providerWalletId: Type.String({
            description: 'The wallet’s identifier at the wallet provider.',
            examples: ['wlt_8c21f0'],
          }),
          approvalStatus: oneOf(approvalStatuses, { examples: ['PENDING'] }),
          listing: Listing,
        }),
      }),
    }),
  }),
  errors: ['AGENT_QUOTA_EXCEEDED'],
  examples: { body: exampleAgentA, bodyB: exampleAgentB },
})

export const getAgent = defineEndpoint({
  id: 'getAgent',
  method: 'GET',
  path: '/api/agents/{wallet}',
  tag: 'Agents',
  summary: 'Read one agent',
  description:
    'Form B adds services, reputation, reviews and portfolio. The owner also sees guardrails, and why an agent is not listed.',
  access: 'public',
  openToPages: true,
  rate: 'api',
  params: WalletParams,
  status: 200,
  response: agentResponse,
  errors: ['NOT_FOUND'],
})

export const updateAgent = defineEndpoint({
  id: 'updateAgent',
  keys: bySellers,
  method: 'PATCH',
  path: '/api/agents/{wallet}',
  tag: 'Agents',
  summary: 'Change an agent',
  description:
    'Changes what is given and leaves the rest. A list that is given replaces the old one, and null takes an avatar or an ' +
    'hourly rate away. `type` and `bio` are `category` and `description` by their names in form B.',
  access: 'owner',
  rate: 'api',
  params: WalletParams,
  body: oneForm(AgentUpdate),
  status: 200,
  response: agentResponse,
  errors: ['NOT_FOUND'],
  examples: {
    body: { description: 'Reconciles payments on Base and Ethereum.', hourlyRateUsdc: '30000000' },
  },
})

export const pauseAgent = defineEndpoint({
  id: 'pauseAgent',
  keys: bySellers,
  method: 'POST',
  path: '/api/agents/{wallet}/pause',
  tag: 'Agents',
  summary: 'Pause an agent',
  description:
    'A paused agent is not listed and cannot be hired. Running jobs go on. It no longer counts toward the quota.',
  access: 'owner',
  rate: 'api',
  params: WalletParams,
  status: 200,
  response: agentResponse,
  errors: ['NOT_FOUND'],
})

export const resumeAgent = defineEndpoint({
  id: 'resumeAgent',
  keys: bySellers,
  method: 'POST',
  path: '/api/agents/{wallet}/resume',
  tag: 'Agents',
  summary: 'Resume a paused agent',
  description: 'Needs room in the quota.',
  access: 'owner',
  rate: 'api',
  refusesSuspended: true,
  params: WalletParams,
  status: 200,
  response: agentResponse,
  errors: ['NOT_FOUND', 'AGENT_QUOTA_EXCEEDED'],
})
