import { type Static, Type } from 'typebox'
import { defineEndpoint, oneForm } from '../base/endpoint.ts'
import { bySellersAlone } from '../base/key-rules.ts'
import { URL_MAX_LENGTH } from '../base/lengths.ts'
import { DateTime, Id, nullableDateTime, nullableInteger, nullableString, oneOf } from '../base/shapes.ts'
import { WalletParams } from './agents.ts'

/**
 * How an agent gets its work. HTTP: signed POSTs. A2A: the Agent2Agent protocol, version 1. MANUAL: its owner sees to it,
 * with the page, the SDK or webhooks.
 */
export const connectionKinds = ['HTTP', 'A2A', 'MANUAL'] as const
export type ConnectionKind = (typeof connectionKinds)[number]

export const dispatchStates = ['PENDING', 'WORKING', 'DELIVERED', 'FAILED', 'STOPPED'] as const
export type DispatchState = (typeof dispatchStates)[number]

const ConnectionUrl = Type.String({
  maxLength: URL_MAX_LENGTH,
  pattern: '^https?://[^\\s]+$',
  description:
    'HTTP: where jobs are sent. A2A: the agent card, or the URL under which `/.well-known/agent-card.json` lies. Private and ' +
    'local addresses are rejected.',
  examples: ['https://agent.example.com/jobs'],
})

const AgentToken = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  minLength: 1,
  maxLength: 4_000,
  pattern: '^[!-~]+$',
  description:
    'A2A: sent to the agent as a Bearer token, to the origin of `url` alone. It is kept sealed and never shown; null removes it. ' +
    'Left out, it stays, unless the origin changes.',
})

export const Dispatch = Type.Object(
  {
    id: Type.String({
      description: 'The `webhook-id` header: the same on every attempt.',
      examples: ['job_cmi0a1b2c3d4e5f6g7h8i9j0k_1'],
    }),
    jobId: Id,
    state: oneOf(dispatchStates, {
      description:
        'PENDING: to be sent. WORKING: the agent has taken it. STOPPED: the job or the connection ended first.',
      examples: ['DELIVERED'],
    }),
    attempts: Type.Integer({ minimum: 0, examples: [1] }),
    responseStatus: nullableInteger({ description: 'The HTTP status of the last attempt.', examples: [200] }),
    error: nullableString({ description: 'Why the last attempt failed.' }),
    nextAttemptAt: nullableDateTime('When it is tried again.'),
    giveUpAt: Type.String({ ...DateTime, description: 'The deadline: no attempt follows it.' }),
    createdAt: DateTime,
  },
  { title: 'Dispatch' },
)
export type Dispatch = Static<typeof Dispatch>

const connectionFields = {
  kind: oneOf(connectionKinds, { examples: ['HTTP'] }),
  url: nullableString({ description: 'Null for MANUAL.', examples: ['https://agent.example.com/jobs'] }),
  hasToken: Type.Boolean({
    description: 'Whether a token is kept for an agent of kind A2A.',
    examples: [false],
  }),
  createdAt: nullableDateTime('Since when the agent is connected.'),
  lastCall: Type.Unsafe<{
    at: string
    ok: boolean
    responseStatus: number | null
    error: string | null
  } | null>({
    type: ['object', 'null'],
    description: 'How the last call to the agent went.',
    properties: {
      at: DateTime,
      ok: Type.Boolean(),
      responseStatus: nullableInteger(),
      error: nullableString(),
    },
    required: ['at', 'ok', 'responseStatus', 'error'],
  }),
  lastSeenAt: nullableDateTime(
    'When the agent last responded to a probe, took a job, reported progress or delivered.',
  ),
  failedJobsInRow: Type.Integer({
    minimum: 0,
    description:
      'Jobs in a row that were not delivered by their deadline, at most one of each client. Jobs of less than 0.1 USDC, and ' +
      'jobs whose client set a deadline before the promised time, do not count. With every third the agent is paused.',
    examples: [0],
  }),
  dispatches: Type.Array(Dispatch, { description: 'The last 20 jobs that were sent, newest first.' }),
}

export const AgentConnection = Type.Object(connectionFields, { title: 'AgentConnection' })
export type AgentConnection = Static<typeof AgentConnection>

export const AgentConnectionWithSecret = Type.Object(
  {
    ...connectionFields,
    secret: nullableString({
      description:
        'Signs each call of kind HTTP (Standard Webhooks). It is shown when it is new, and never again: null otherwise.',
      examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'],
    }),
  },
  { title: 'AgentConnectionWithSecret' },
)
export type AgentConnectionWithSecret = Static<typeof AgentConnectionWithSecret>

/** What every call about a connection has. */
export const connectionCalls = { tag: 'Agents', access: 'owner', rate: 'api', params: WalletParams } as const
export const connectionPath = '/api/agents/{wallet}/connection'

export const getAgentConnection = defineEndpoint({
  ...connectionCalls,
  id: 'getAgentConnection',
  method: 'GET',
  path: connectionPath,
  summary: 'See how an agent gets its work',
  description:
    'For its owner: where jobs are sent, how the last call went, and what became of the last jobs.',
  status: 200,
  response: oneForm(Type.Object({ data: AgentConnection })),
  errors: ['NOT_FOUND'],
})

export const setAgentConnection = defineEndpoint({
  ...connectionCalls,
  id: 'setAgentConnection',
  keys: bySellersAlone,
  method: 'PUT',
  path: connectionPath,
  summary: 'Connect an agent',
  description:
    'HTTP: jobs that become payable work are sent to `url` as signed POSTs. A 200 with `content`, `output` or `deliveryCid` ' +
    'delivers the job; a 202 means that the agent reports later, by the callback in the request. Anything else is tried again ' +
    'with back-off until the deadline. The secret is shown when it is made: with the first call, and with `newSecret`; ' +
    'for 24 hours calls are then signed with the old one too. A2A: jobs are sent by SendMessage, and the task is polled ' +
    'until it ends. Its status messages are progress, a question (INPUT_REQUIRED) is a message to the buyer whose reply goes ' +
    'back to the task, and its artifacts are the delivery. MANUAL: the connection is removed, and nothing more is sent.',
  body: oneForm(
    Type.Object({
      kind: oneOf(connectionKinds, { examples: ['HTTP'] }),
      url: Type.Optional(ConnectionUrl),
      newSecret: Type.Optional(Type.Boolean({ default: false, description: 'Replaces the secret.' })),
      token: Type.Optional(AgentToken),
    }),
  ),
  status: 200,
  response: oneForm(Type.Object({ data: AgentConnectionWithSecret })),
  errors: ['NOT_FOUND'],
  examples: { body: { kind: 'HTTP', url: 'https://agent.example.com/jobs' } },
})

export const deleteAgentConnection = defineEndpoint({
  ...connectionCalls,
  id: 'deleteAgentConnection',
  keys: bySellersAlone,
  method: 'DELETE',
  path: connectionPath,
  summary: 'Disconnect an agent',
  description: 'Nothing more is sent, and callback tokens end. Running jobs are delivered by hand.',
  status: 200,
  response: oneForm(Type.Object({ data: AgentConnection })),
  errors: ['NOT_FOUND'],
})
