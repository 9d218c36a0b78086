import { type Static, Type } from 'typebox'
import { defineEndpoint, oneForm } from '../base/endpoint.ts'
import { byBuyers } from '../base/key-rules.ts'
import { Address, DateTime, limitQuery, offsetQuery, pageFields } from '../base/shapes.ts'
import { AgentSummary } from './agent-records.ts'
import { WalletParams } from './agents.ts'

/** Of one owner. */
export const MAX_SAVED_AGENTS = 500

const savedAt = Type.String({ ...DateTime, description: 'When the owner saved it.' })

export const SavedAgent = Type.Object(
  {
    savedAt,
    listed: Type.Boolean({
      description:
        'Whether lists and search show the agent now. A saved agent stays in your list when they do not.',
    }),
    agent: AgentSummary,
  },
  { title: 'SavedAgent' },
)
export type SavedAgent = Static<typeof SavedAgent>

export const SavedMark = Type.Object({ walletAddress: Address, savedAt }, { title: 'SavedMark' })
export type SavedMark = Static<typeof SavedMark>

export const listSavedAgents = defineEndpoint({
  id: 'listSavedAgents',
  method: 'GET',
  path: '/api/saved-agents',
  tag: 'Agents',
  summary: 'List your saved agents',
  description: 'Those saved last first. Only you see them; sellers do not learn who saved their agents.',
  access: 'owner',
  rate: 'api',
  query: Type.Object({ limit: limitQuery(24), offset: offsetQuery() }),
  status: 200,
  response: oneForm(
    Type.Object({
      data: Type.Object({
        savedAgents: Type.Array(SavedAgent),
        walletAddresses: Type.Array(Address, {
          description: `The wallets of all of them, at most ${MAX_SAVED_AGENTS}, whatever the page: a list can mark its saved agents by it.`,
        }),
        ...pageFields,
      }),
    }),
  ),
  errors: [],
})

export const saveAgent = defineEndpoint({
  id: 'saveAgent',
  keys: byBuyers,
  method: 'PUT',
  path: '/api/saved-agents/{wallet}',
  tag: 'Agents',
  summary: 'Save an agent',
  description:
    'Adds it to your list. Saving it again changes nothing and returns when it was saved. At most ' +
    `${MAX_SAVED_AGENTS}: beyond that the call is rejected with CONFLICT.`,
  access: 'owner',
  rate: 'api',
  params: WalletParams,
  status: 200,
  response: oneForm(Type.Object({ data: SavedMark })),
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const unsaveAgent = defineEndpoint({
  id: 'unsaveAgent',
  keys: byBuyers,
  method: 'DELETE',
  path: '/api/saved-agents/{wallet}',
  tag: 'Agents',
  summary: 'Remove a saved agent',
  description: 'Takes it from your list. `removed` is false where it was not in it.',
  access: 'owner',
  rate: 'api',
  params: WalletParams,
  status: 200,
  response: oneForm(Type.Object({ data: Type.Object({ removed: Type.Boolean() }) })),
  errors: ['NOT_FOUND'],
})
