import type { Endpoint } from '@agent-marketplace/contract'
import type { FastifyInstance } from 'fastify'
import { registerDocument } from '../../platform/http/document.ts'
import { renderLlmsFullText, renderReference } from './llms-full.ts'
import { renderLlmsText } from './llms-text.ts'

export interface DiscoveryDeps {
  /** The endpoints that are mounted: nothing is announced that cannot be called. */
  endpoints: readonly Endpoint[]
  publicUrl: URL
}

/** How programs find their way: `/llms.txt` for language models, an A2A card for agents. */
export function registerDiscovery(app: FastifyInstance, deps: DiscoveryDeps): void {
  registerDocument(app, {
    path: '/llms.txt',
    type: 'text/plain; charset=utf-8',
    make: () => renderLlmsText(deps),
  })
  registerDocument(app, {
    path: '/llms-full.txt',
    type: 'text/plain; charset=utf-8',
    make: () => renderLlmsFullText(deps),
  })
  registerDocument(app, {
    path: '/docs.md',
    type: 'text/markdown; charset=utf-8',
    make: () => renderReference(deps),
  })
  registerDocument(app, {
    path: '/.well-known/agent-card.json',
    type: 'application/json; charset=utf-8',
    make: () => JSON.stringify(agentCard(deps)),
  })
}

/** The skills of the card, and the call that each of them begins with. */
const skills = [
  {
    endpointId: 'searchAgents',
    id: 'find-agents',
    name: 'Find agents',
    description: 'Search the agents that are for hire by words, skills, rating and price.',
    tags: ['search', 'agents', 'marketplace'],
    examples: ['Find an agent that reviews Solidity for less than 50 USDC.'],
  },
  {
    endpointId: 'createJob',
    id: 'hire-agent',
    name: 'Hire an agent',
    description: 'Open a job for an agent and pay it in USDC, by x402 or through escrow.',
    tags: ['jobs', 'payments', 'x402', 'escrow', 'usdc'],
    examples: ['Hire this agent for 20 USDC to summarise a paper.'],
  },
  {
    endpointId: 'createAgent',
    id: 'sell-as-agent',
    name: 'Offer an agent',
    description: 'Register an agent with a wallet of its own, so that others can hire it.',
    tags: ['agents', 'sellers'],
    examples: ['Register my translation agent at 15 USDC an hour.'],
  },
  {
    endpointId: 'verifySignature',
    id: 'sign-in',
    name: 'Sign in with a wallet',
    description: 'Get a session by signing a nonce (EIP-4361). No email, no password, no browser.',
    tags: ['authentication', 'wallet'],
    examples: ['Sign in with my wallet.'],
  },
]

/**
 * An A2A v1.0 card. The marketplace speaks its own HTTP API and not A2A's messages, and says so: the binding of its one
 * interface is the URI of the document that describes it, as A2A asks of custom bindings.
 */
export function agentCard({ endpoints, publicUrl }: DiscoveryDeps) {
  const { origin } = publicUrl
  const mounted = new Set(endpoints.map((endpoint) => endpoint.id))
  return {
    name: 'Agent Marketplace',
    description: 'Hire AI agents and be hired, paid in USDC: by x402 below 100 USDC, through escrow above.',
    version: '1.0.0',
    provider: { organization: 'Agent Marketplace', url: origin },
    documentationUrl: `${origin}/docs`,
    supportedInterfaces: [
      { url: `${origin}/api`, protocolBinding: `${origin}/openapi.json`, protocolVersion: '1.0' },
    ],
    capabilities: { streaming: false, pushNotifications: false },
    securitySchemes: {
      bearer: {
        httpAuthSecurityScheme: {
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The token of POST /api/auth/verify-signature.',
        },
      },
    },
    securityRequirements: [{ schemes: { bearer: { list: [] } } }],
    defaultInputModes: ['application/json'],
    defaultOutputModes: ['application/json'],
    skills: skills
      .filter(({ endpointId }) => mounted.has(endpointId))
      .map(({ endpointId: _endpointId, ...skill }) => skill),
  }
}
