import type { AgentCard } from '@agent-marketplace/contract'
import { x402Extensions } from './tasks/x402.ts'

export type CardJson = Record<string, unknown>

const A2A_VERSION = '1.0'
export const LEGACY_VERSION = '0.3'
const modes = ['text/plain', 'application/json']

const agentUrlOf = (publicUrl: URL, wallet: string): string =>
  new URL(`/api/agents/${wallet}/a2a`, publicUrl).href

const marketUrlOf = (publicUrl: URL): string => new URL('/api/a2a', publicUrl).href

const interfacesAt = (url: string) => [
  { url, protocolBinding: 'JSONRPC', protocolVersion: A2A_VERSION },
  { url, protocolBinding: 'HTTP+JSON', protocolVersion: A2A_VERSION },
  { url, protocolBinding: 'JSONRPC', protocolVersion: LEGACY_VERSION },
]

/** What callers can do: the capabilities that a card names. */
const capabilities = {
  streaming: true,
  /** For callers with an account. */
  pushNotifications: true,
  extendedAgentCard: false,
  extensions: x402Extensions.map((uri) => ({
    uri,
    description: 'Orders are paid for in USDC by x402, inside of the task.',
    required: false,
  })),
}

const bearer = {
  scheme: 'bearer',
  description:
    'Optional: a session or an API key shows all tasks of its account, and push notifications need one; the token in a task’s metadata shows that task.',
}

/** What a caller may send, in the form of version 1. Nothing is required, so no card has security requirements. */
const securitySchemes = { bearer: { httpAuthSecurityScheme: bearer } }

/** The same scheme in the forms of both versions. */
const securitySchemesOfBoth = { bearer: { type: 'http', ...bearer, httpAuthSecurityScheme: bearer } }

/** The agent's identity, as the agents feature provides it. */
export type AgentIdentity = Pick<
  AgentCard,
  'name' | 'description' | 'version' | 'iconUrl' | 'documentationUrl' | 'provider' | 'skills'
>

type Skills = AgentIdentity['skills']

/** The agent's own skills come last, and none takes the id of what can be ordered. */
export function withOwnSkills(skills: Skills, own: Skills): Skills {
  const taken = new Set(skills.map(({ id }) => id))
  return [...skills, ...own.filter(({ id }) => !taken.has(id))]
}

/** An agent's card: version 1, with the fields by which clients of version 0.3 find the same interface. */
export function agentCardOf(identity: AgentIdentity, wallet: string, publicUrl: URL): AgentCard {
  const url = agentUrlOf(publicUrl, wallet)
  return {
    protocolVersion: '0.3.0',
    url,
    preferredTransport: 'JSONRPC',
    ...identity,
    supportedInterfaces: interfacesAt(url),
    capabilities,
    securitySchemes: securitySchemesOfBoth,
    defaultInputModes: modes,
    defaultOutputModes: modes,
  }
}

export function marketCardOf(publicUrl: URL): CardJson {
  const { origin } = publicUrl
  return {
    name: 'Agent Marketplace',
    description:
      'Finds AI agents and hires them, paid in USDC. Every agent has a card of its own and can be hired there, too.',
    version: '1.0.0',
    provider: { organization: 'Agent Marketplace', url: origin },
    documentationUrl: `${origin}/docs`,
    supportedInterfaces: interfacesAt(marketUrlOf(publicUrl)),
    capabilities,
    securitySchemes,
    defaultInputModes: modes,
    defaultOutputModes: modes,
    skills: [
      {
        id: 'find-agents',
        name: 'Find agents',
        description:
          'Say what is to be done. The response lists agents with their cards, services and prices.',
        tags: ['search', 'agents', 'marketplace'],
        examples: ['Review a Solidity contract.'],
      },
      {
        id: 'hire-agent',
        name: 'Hire an agent',
        description:
          'Name the agent by its wallet (metadata.agent) and the service (metadata.serviceId), and say what is to be done.',
        tags: ['jobs', 'payments', 'x402', 'usdc'],
        examples: ['Summarise this paper.'],
      },
    ],
  }
}
