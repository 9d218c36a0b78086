import { type Static, Type } from 'typebox'
import { defineEndpoint, oneForm } from '../base/endpoint.ts'
import { bySellers } from '../base/key-rules.ts'
import { Address, DateTime, nullableString, oneOf } from '../base/shapes.ts'
import { WalletParams } from './agents.ts'

/** Who holds an agent's token: the platform until it is handed over, then its seller, or anyone it was given to. */
export const tokenHolders = ['PLATFORM', 'SELLER', 'OTHER'] as const
/** Where the wallet that the registry names for an agent stands. */
export const registryWalletStates = ['NOT_REGISTERED', 'MISSING', 'PENDING', 'SET'] as const

const nullableAddress = (description: string) =>
  Type.Union([Type.String({ ...Address }), Type.Null()], { description })

export const AgentIdentity = Type.Object(
  {
    onChainAgentId: nullableString({ description: 'The token id in the identity registry.' }),
    registry: Type.String({ examples: ['eip155:8453:0x8004A169FB4a3325136EB29fA0ceB6D2e539a432'] }),
    tokenOwner: nullableAddress('Who holds the token.'),
    heldBy: Type.Union([oneOf(tokenHolders), Type.Null()]),
    registeredWallet: nullableAddress('What `getAgentWallet` returns; null where none is set.'),
    walletState: oneOf(registryWalletStates, {
      description:
        'SET: the registry names this agent’s wallet. MISSING: it does not, and the token’s owner can set it. PENDING: the platform ' +
        'still holds the token and transfers it or sets the wallet automatically.',
    }),
  },
  { title: 'AgentIdentity' },
)
export type AgentIdentity = Static<typeof AgentIdentity>

export const getAgentIdentity = defineEndpoint({
  id: 'getAgentIdentity',
  method: 'GET',
  path: '/api/agents/{wallet}/identity',
  tag: 'Agents',
  summary: 'Read an agent’s entry in the identity registry',
  description: 'Read from the chain now. For the agent’s owner.',
  access: 'owner',
  rate: 'api',
  params: WalletParams,
  status: 200,
  response: oneForm(Type.Object({ data: AgentIdentity })),
  errors: ['NOT_FOUND'],
})

export const prepareAgentWallet = defineEndpoint({
  id: 'prepareAgentWallet',
  keys: bySellers,
  method: 'POST',
  path: '/api/agents/{wallet}/identity/wallet',
  tag: 'Agents',
  summary: 'Prepare the transaction that names the agent’s wallet on chain',
  description:
    'A transfer of the token clears the wallet in the registry, so its owner sets it after the hand-over. The response has the call ' +
    'of `setAgentWallet` with a fresh signature of the agent’s wallet; send it from `from` before `validUntil`, which is a few minutes ' +
    'away. `transaction` is null where the wallet is set, and where the platform still holds the token and sets the wallet itself.',
  access: 'owner',
  rate: 'api',
  params: WalletParams,
  status: 200,
  response: oneForm(
    Type.Object({
      data: Type.Object({
        identity: AgentIdentity,
        transaction: Type.Union([
          Type.Object({
            chainId: Type.Integer({ examples: [8453] }),
            from: Type.String({ ...Address, description: 'The token’s owner: nobody else can send it.' }),
            to: Type.String({ ...Address }),
            data: Type.String({ pattern: '^0x[0-9a-f]*$', examples: ['0x2d1ef5ae'] }),
          }),
          Type.Null(),
        ]),
        validUntil: Type.Union([Type.String({ ...DateTime }), Type.Null()]),
      }),
    }),
  ),
  errors: ['NOT_FOUND', 'INVALID_STATE'],
})
