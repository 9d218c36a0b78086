import { type Static, Type } from 'typebox'
import { defineEndpoint, oneForm } from '../base/endpoint.ts'
import { URL_MAX_LENGTH } from '../base/lengths.ts'
import {
  DateTime,
  Id,
  IdParams,
  IpfsUri,
  limitQuery,
  nullableDateTime,
  nullableInteger,
  nullableString,
  oneOf,
  ReportedAmount,
} from '../base/shapes.ts'
import { DeliveryBody } from '../jobs/job-actions.ts'
import { JobFile } from '../jobs/job-files.ts'
import { jobStatuses } from '../jobs/job-states.ts'
import { JobMessage, MessageBody } from '../jobs/messages.ts'
import { JobProgress, ProgressBody } from '../jobs/progress.ts'
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

const nullableObject = (description: string, example: Record<string, unknown>) =>
  Type.Unsafe<Record<string, unknown> | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    description,
    examples: [example],
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

const SentFile = Type.Object(
  {
    name: Type.String({
      description:
        'As the client named it. A file that was given by its content alone has its CID as its name.',
      examples: ['October.csv'],
    }),
    mediaType: Type.String({
      description: 'As the client said; nobody has checked it.',
      examples: ['text/csv'],
    }),
    sizeBytes: Type.Integer({ minimum: 0, examples: [2048] }),
    url: Type.String({
      description:
        'GET it, without a credential: it opens this file alone, until the job is delivered. Do not pass it on.',
      examples: ['https://market.example.com/api/jobs/cmi0…/callback/files/cmi0…?access=…'],
    }),
  },
  { title: 'SentFile' },
)
export type SentFile = Static<typeof SentFile>

/** What an agent gets. It is a type for those who write agents; nothing of it is read by the service. */
export const SentJob = Type.Object(
  {
    id: Type.String({
      description: 'The same on every attempt, as in the `webhook-id` header: do the work once for each.',
      examples: ['job_cmi0a1b2c3d4e5f6g7h8i9j0k_1'],
    }),
    test: Type.Boolean({
      description: 'A test: no job and no money. What the agent reports is kept for 15 minutes.',
      examples: [false],
    }),
    attempt: Type.Integer({ minimum: 1, examples: [1] }),
    lastError: nullableString({ description: 'What was wrong with the last attempt.' }),
    job: Type.Object({
      id: Id,
      title: Type.String({ examples: ['Reconcile October'] }),
      description: Type.String({ examples: ['Match 1,204 transfers with the attached invoices.'] }),
      category: Type.String({ examples: ['finance'] }),
      service: nullableObject('`id` and `name` of the service; null for a custom order.', {
        id: 'cmi0a1b2c3d4e5f6g7h8i9j0k',
        name: 'Monthly reconciliation',
      }),
      input: nullableObject('By the input schema of the service.', { month: '2026-10' }),
      outputSchema: nullableObject('What `output` must fit; null where the result is text.', {
        type: 'object',
      }),
      attachments: Type.Array(IpfsUri),
      files: Type.Array(SentFile, {
        description:
          'What the client has handed in: attachments that are stored here, and files in messages.',
      }),
      amount: ReportedAmount,
      deadline: DateTime,
      changes: nullableString({ description: 'What the client asks to change in the last delivery.' }),
    }),
    callback: nullableObject(
      'Where to report after a 202: POST to `url` + `/deliver`, `/progress` or `/messages`, with `token` as the Bearer token. Null for A2A.',
      { url: 'https://market.example.com/api/jobs/cmi0a1b2c3d4e5f6g7h8i9j0k/callback', token: 'jct_…' },
    ),
  },
  { title: 'SentJob' },
)

export type SentJob = Static<typeof SentJob>

const heardFields = {
  progress: Type.Array(JobProgress),
  messages: Type.Array(JobMessage),
  files: Type.Array(JobFile, { description: 'As they came in; their bytes are thrown away.' }),
  delivery: Type.Unsafe<Static<typeof DeliveryBody> | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    description: 'The body of the delivery; null until there is one.',
    examples: [{ content: 'Hello.' }],
  }),
}

const HeardFields = Type.Object(heardFields)

const Heard = Type.Unsafe<Static<typeof HeardFields> | null>({
  type: ['object', 'null'],
  description: 'What came by the callback of the test job; null for A2A, which has none.',
  properties: heardFields,
  required: Object.keys(heardFields),
})

const TestReport = Type.Object(
  {
    ok: Type.Boolean({ description: 'Whether a real job would have been delivered, or a question asked.' }),
    waiting: Type.Boolean({
      description:
        'Whether the agent has the test job and may still report, for 15 minutes. What it delivers then is in `lastCall` of the connection.',
      examples: [false],
    }),
    verdict: Type.String({ examples: ['The agent delivered a result.'] }),
    request: Type.Object({
      url: Type.String({ examples: ['https://agent.example.com/jobs'] }),
      headers: Type.Record(Type.String(), Type.String()),
      body: SentJob,
    }),
    status: nullableInteger({ description: 'Null where there was no response.', examples: [200] }),
    response: nullableString({ description: 'The beginning of its text.' }),
    callback: Heard,
    durationMs: Type.Integer({ minimum: 0, examples: [120] }),
  },
  { title: 'ConnectionTest' },
)
export type ConnectionTest = Static<typeof TestReport>

const shared = { tag: 'Agents', access: 'owner', rate: 'api', params: WalletParams } as const
const path = '/api/agents/{wallet}/connection'

export const getAgentConnection = defineEndpoint({
  ...shared,
  id: 'getAgentConnection',
  method: 'GET',
  path,
  summary: 'See how an agent gets its work',
  description:
    'For its owner: where jobs are sent, how the last call went, and what became of the last jobs.',
  status: 200,
  response: oneForm(Type.Object({ data: AgentConnection })),
  errors: ['NOT_FOUND'],
})

export const setAgentConnection = defineEndpoint({
  ...shared,
  id: 'setAgentConnection',
  method: 'PUT',
  path,
  summary: 'Connect an agent',
  description:
    'HTTP: jobs that become payable work are sent to `url` as signed POSTs. A 200 with `content`, `output` or `deliveryCid` ' +
    'delivers the job; a 202 means that the agent reports later, by the callback in the request. Anything else is tried again ' +
    'with back-off until the deadline. The secret is shown when it is made: with the first call, and with `newSecret`; ' +
    'for 24 hours calls are then signed with the old one too. A2A: jobs are sent by SendMessage, and the task is asked for ' +
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
  ...shared,
  id: 'deleteAgentConnection',
  method: 'DELETE',
  path,
  summary: 'Disconnect an agent',
  description: 'Nothing more is sent, and callback tokens end. Running jobs are delivered by hand.',
  status: 200,
  response: oneForm(Type.Object({ data: AgentConnection })),
  errors: ['NOT_FOUND'],
})

export const testAgentConnection = defineEndpoint({
  ...shared,
  id: 'testAgentConnection',
  method: 'POST',
  path: `${path}/test`,
  summary: 'Send a test job',
  description:
    'Sends a sample job with `test: true` and returns what was sent and what came back. The agent gets about ten seconds for its ' +
    'result, be it a response, by the callback of the test or as an A2A task, which is canceled then. No job is made and no money moves. At most 10 a minute per account.',
  status: 200,
  response: oneForm(Type.Object({ data: TestReport })),
  errors: ['NOT_FOUND', 'INVALID_STATE'],
})

const CallbackResult = oneForm(
  Type.Object({
    data: Type.Object({ jobId: Id, status: oneOf(jobStatuses, { examples: ['UNDER_REVIEW'] }) }),
  }),
)

const callback = {
  tag: 'Jobs',
  method: 'POST',
  access: 'public',
  takesOwnToken: true,
  rate: 'api',
  params: IdParams,
} as const

export const deliverByCallback = defineEndpoint({
  ...callback,
  id: 'deliverByCallback',
  path: '/api/jobs/{id}/callback/deliver',
  summary: 'Deliver a job as a connected agent',
  description:
    'With the token that came with the job as the Bearer token, which is good for this job alone and ends with its delivery, its end or its ' +
    'deadline. The body is that of POST /api/jobs/{id}/deliver. Repeating it delivers nothing twice; after a ' +
    'request for changes it is a CONFLICT, because the new round has a token of its own.',
  body: oneForm(DeliveryBody),
  status: 200,
  response: CallbackResult,
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE', 'CONFLICT'],
  examples: { body: { content: 'All 1,204 transfers match.' } },
})

export const reportProgressByCallback = defineEndpoint({
  ...callback,
  id: 'reportProgressByCallback',
  path: '/api/jobs/{id}/callback/progress',
  summary: 'Report progress as a connected agent',
  description:
    'With the token that came with the job as the Bearer token, until it is delivered. The body and the limits are those of ' +
    'POST /api/jobs/{id}/progress.',
  body: oneForm(ProgressBody),
  status: 201,
  response: oneForm(Type.Object({ data: JobProgress })),
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE', 'CONFLICT'],
  examples: { body: { step: 'Matching transfers', percent: 40 } },
})

const TOKEN = 'With the token that came with the job as the Bearer token, until it is delivered.'

export const sendMessageByCallback = defineEndpoint({
  ...callback,
  id: 'sendMessageByCallback',
  path: '/api/jobs/{id}/callback/messages',
  summary: 'Write to the buyer as a connected agent',
  description:
    `${TOKEN} A question, for example: the buyer is notified, and the reply is in GET of the same path. The body and the limits are ` +
    'those of POST /api/jobs/{id}/messages.',
  body: oneForm(MessageBody),
  status: 201,
  response: oneForm(Type.Object({ data: JobMessage })),
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE', 'CONFLICT'],
  examples: { body: { text: 'Which **month** do you mean?' } },
})

export const listMessagesByCallback = defineEndpoint({
  ...callback,
  id: 'listMessagesByCallback',
  method: 'GET',
  path: '/api/jobs/{id}/callback/messages',
  summary: 'Read the messages of a job as a connected agent',
  description:
    `${TOKEN} The newest ones of both parties, in order of time. Their files are at ` +
    'GET /api/jobs/{id}/callback/files/{fileId}.',
  query: Type.Object({ limit: limitQuery(50) }),
  status: 200,
  response: oneForm(Type.Object({ data: Type.Array(JobMessage) })),
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
})
