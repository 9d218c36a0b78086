import { type Static, Type } from 'typebox'
import { defineEndpoint, oneForm, rawResponse } from '../base/endpoint.ts'
import { WalletParams } from './agents.ts'

/** Files in the shapes that other standards ask for, so they stand without a `data` wrapper. */

const interfaceUrl = 'https://market.example.com/api/agents/0x71C7656EC7ab88b098defB751B7401B5f6d8976F/a2a'

export const RegistrationFile = Type.Object(
  {
    type: Type.String({ examples: ['https://eips.ethereum.org/EIPS/eip-8004#registration-v1'] }),
    name: Type.String({ examples: ['Ledger Lark'] }),
    description: Type.String({ examples: ['Reconciles on-chain payments with your books.'] }),
    image: Type.String({
      description: 'The avatar, or the picture that the wallet address makes.',
      examples: ['https://cdn.example.com/lark.png'],
    }),
    services: Type.Array(
      Type.Object({
        name: Type.String({ examples: ['web'] }),
        endpoint: Type.String({
          examples: ['https://market.example.com/agents/0x71C7656EC7ab88b098defB751B7401B5f6d8976F'],
        }),
        version: Type.Optional(Type.String({ examples: ['1.0.0'] })),
        skills: Type.Optional(Type.Array(Type.String(), { examples: [['accounting']] })),
      }),
    ),
    x402Support: Type.Boolean(),
    active: Type.Boolean(),
    registrations: Type.Array(
      Type.Object({
        agentId: Type.Integer(),
        agentRegistry: Type.String({ examples: ['eip155:8453:0x8004A169FB4a3325136EB29fA0ceB6D2e539a432'] }),
      }),
    ),
    supportedTrust: Type.Array(Type.String(), { examples: [['reputation']] }),
    reviewers: Type.Array(Type.String(), {
      description:
        'Who writes feedback for this agent’s clients, as `eip155:<chainId>:<address>`: the addresses for getSummary. Each ' +
        'feedback file names the client itself as `reviewer`.',
      examples: [['eip155:8453:0x71C7656EC7ab88b098defB751B7401B5f6d8976F']],
    }),
  },
  { title: 'RegistrationFile' },
)
export type RegistrationFile = Static<typeof RegistrationFile>

export const getAgentRegistrationFile = defineEndpoint({
  id: 'getAgentRegistrationFile',
  method: 'GET',
  path: '/api/agents/{wallet}/registration.json',
  tag: 'Agents',
  summary: 'Read an agent’s registration file',
  description:
    'The ERC-8004 registration file that the on-chain identity points to. It is not wrapped in `data`.',
  access: 'public',
  openToPages: true,
  rate: 'api',
  params: WalletParams,
  status: 200,
  response: oneForm(RegistrationFile),
  errors: ['NOT_FOUND'],
})

export const getAgentImage = defineEndpoint({
  id: 'getAgentImage',
  method: 'GET',
  path: '/api/agents/{wallet}/image.svg',
  tag: 'Agents',
  summary: 'See the picture of an agent without an avatar',
  description: 'A pattern that its wallet address makes. The same address always makes the same one.',
  access: 'public',
  rate: 'api',
  params: WalletParams,
  status: 200,
  response: rawResponse('image/svg+xml'),
  errors: ['NOT_FOUND'],
})

const bearerFields = {
  scheme: Type.String({ examples: ['bearer'] }),
  description: Type.String({ examples: ['Optional: push notifications need a session or an API key.'] }),
}

export const AgentCard = Type.Object(
  {
    protocolVersion: Type.String({ examples: ['0.3.0'] }),
    name: Type.String({ examples: ['Ledger Lark'] }),
    description: Type.String({ examples: ['Reconciles on-chain payments with your books.'] }),
    url: Type.String({
      description:
        'Where the agent is hired by version 0.3; `supportedInterfaces` says the same to version 1.0.',
      examples: [interfaceUrl],
    }),
    version: Type.String({ examples: ['1.0.0'] }),
    preferredTransport: Type.String({ examples: ['JSONRPC'] }),
    supportedInterfaces: Type.Array(
      Type.Object({
        url: Type.String({ examples: [interfaceUrl] }),
        protocolBinding: Type.String({ examples: ['JSONRPC'] }),
        protocolVersion: Type.String({ examples: ['1.0'] }),
      }),
    ),
    iconUrl: Type.Optional(Type.String({ examples: ['https://cdn.example.com/lark.png'] })),
    documentationUrl: Type.Optional(Type.String({ examples: ['https://market.example.com/docs'] })),
    provider: Type.Object({
      organization: Type.String({ examples: ['Analytical Engines Ltd'] }),
      url: Type.String({ examples: ['https://market.example.com'] }),
    }),
    capabilities: Type.Object({
      streaming: Type.Boolean(),
      pushNotifications: Type.Boolean(),
      extendedAgentCard: Type.Boolean(),
      extensions: Type.Array(
        Type.Object({
          uri: Type.String({
            examples: ['https://github.com/google-agentic-commerce/a2a-x402/blob/main/spec/v0.2'],
          }),
          description: Type.String({ examples: ['Orders are paid for in USDC by x402.'] }),
          required: Type.Boolean(),
        }),
      ),
    }),
    securitySchemes: Type.Object(
      {
        bearer: Type.Object({
          type: Type.String({ description: 'For version 0.3.', examples: ['http'] }),
          ...bearerFields,
          httpAuthSecurityScheme: Type.Object(bearerFields, { description: 'For version 1.0.' }),
        }),
      },
      { description: 'What a caller may send. Nothing is required.' },
    ),
    defaultInputModes: Type.Array(Type.String(), { examples: [['text/plain', 'application/json']] }),
    defaultOutputModes: Type.Array(Type.String(), { examples: [['text/plain', 'application/json']] }),
    skills: Type.Array(
      Type.Object({
        id: Type.String({ examples: ['accounting'] }),
        name: Type.String({ examples: ['Accounting'] }),
        description: Type.String({ examples: ['Monthly reconciliation'] }),
        tags: Type.Array(Type.String(), { examples: [['accounting']] }),
      }),
    ),
  },
  { title: 'AgentCard' },
)
export type AgentCard = Static<typeof AgentCard>

export const getAgentCard = defineEndpoint({
  id: 'getAgentCard',
  method: 'GET',
  path: '/api/agents/{wallet}/agent-card.json',
  tag: 'Agents',
  summary: 'Read an agent’s A2A card',
  description:
    'The card by which other agents find this one and hire it (A2A protocol, 1.0 and 0.3). It is not wrapped in `data`, and has ' +
    'an ETag. Its skills are what the agent says of itself, the services that a message can order, and last those of the card of its ' +
    'own A2A endpoint, where it has one.',
  access: 'public',
  openToPages: true,
  rate: 'api',
  params: WalletParams,
  status: 200,
  response: oneForm(AgentCard),
  errors: ['NOT_FOUND'],
})
