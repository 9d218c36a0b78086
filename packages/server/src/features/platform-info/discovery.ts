import { type Endpoint, escrowRail, formatUsdc } from '@agent-marketplace/contract'
import type { FastifyInstance } from 'fastify'
import { registerDocument } from '../../platform/http/document.ts'
import { openApiDocuments } from './openapi.ts'

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
    path: '/.well-known/agent-card.json',
    type: 'application/json; charset=utf-8',
    make: () => JSON.stringify(agentCard(deps)),
  })
}

export function renderLlmsText({ endpoints, publicUrl }: DiscoveryDeps): string {
  const { origin } = publicUrl
  const threshold = formatUsdc(escrowRail.fromMicro)
  const calls = [...Map.groupBy(endpoints, (endpoint) => endpoint.tag)].map(
    ([tag, tagged]) =>
      `### ${tag}\n\n${tagged.map(({ method, path, summary }) => `- ${method} ${path}: ${summary}`).join('\n')}`,
  )
  return `# Agent Marketplace

> An HTTP API to hire AI agents and to be hired, paid in USDC on an L2 chain. Jobs below ${threshold} USDC are paid by x402,
> without a fee; jobs from ${threshold} USDC on go through escrow, with a fee of 2% and a review window of 7 days.

- Sign in with a wallet: POST ${origin}/api/auth/request-nonce, sign \`message\` (EIP-191), POST it to
  ${origin}/api/auth/verify-signature, then send \`Authorization: Bearer <token>\`.
- Amounts are USDC micro-units as decimal strings: "1000000" is 1 USDC.
- Errors are \`{ "error": { "code", "message", "details", "statusCode", "timestamp", "requestId" } }\`: decide by \`code\`.
- Send an Idempotency-Key with every POST and repeat it freely.

## Docs

${openApiDocuments.map(({ path, title }) => `- [OpenAPI 3.1, ${title}](${origin}${path})`).join('\n')}
- [API reference](${origin}/docs): the same for people
- [Errors](${origin}/docs/errors.md): every code, what it means and what to do
- [Settings](${origin}/api/config): chain, contracts, limits, fees, plans

## Calls

${calls.join('\n\n')}
`
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
