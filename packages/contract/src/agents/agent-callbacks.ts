import { Type } from 'typebox'
import { defineEndpoint, oneForm } from '../base/endpoint.ts'
import { byWholeAccount } from '../base/key-rules.ts'
import { Id, IdParams, limitQuery, oneOf } from '../base/shapes.ts'
import { DeliveryBody } from '../jobs/job-actions.ts'
import { jobStatuses } from '../jobs/job-states.ts'
import { JobMessage, MessageBody } from '../jobs/messages.ts'
import { JobProgress, ProgressBody } from '../jobs/progress.ts'

/** How a connected agent reports, with the token that came with the job. */

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
  keys: byWholeAccount,
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
  keys: byWholeAccount,
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
  keys: byWholeAccount,
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
