import { type Static, Type } from 'typebox'
import { defineEndpoint, oneForm } from '../base/endpoint.ts'
import { byBothSides } from '../base/key-rules.ts'
import { MAX_MESSAGE_ATTACHMENTS, MESSAGE_MAX_LENGTH } from '../base/lengths.ts'
import { cursorQuery, DateTime, Id, IdParams, limitQuery, NextCursor, oneOf, text } from '../base/shapes.ts'
import { FileIds, JobFile } from './job-files.ts'

/** Of one party in one job. */
export const MAX_MESSAGES_PER_HOUR = 60
export const MAX_MESSAGES_PER_JOB = 2_000
/** A job that has ended can still be talked about for a while. */
export const MESSAGE_DAYS_AFTER_END = 30

const StoredUri = Type.String({
  pattern: '^ipfs://[A-Za-z0-9]{8,100}$',
  description: 'A file that the sender has stored with POST /api/files.',
  examples: ['ipfs://bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy'],
})
const words = { description: 'Markdown. HTML in it is text.', examples: ['Which **month** do you mean?'] }

export const JobMessage = Type.Object(
  {
    id: Id,
    from: oneOf(['CLIENT', 'SELLER'], { description: 'Who wrote it.', examples: ['SELLER'] }),
    text: Type.String({ ...words, description: `${words.description} Empty where files were sent alone.` }),
    attachments: Type.Array(StoredUri),
    files: Type.Array(JobFile),
    createdAt: DateTime,
  },
  { title: 'JobMessage' },
)
export type JobMessage = Static<typeof JobMessage>

export const MessageBody = Type.Object({
  text: Type.Optional(
    text(MESSAGE_MAX_LENGTH, {
      ...words,
      description: `${words.description} Optional with files or attachments.`,
    }),
  ),
  attachments: Type.Optional(Type.Array(StoredUri, { maxItems: MAX_MESSAGE_ATTACHMENTS, uniqueItems: true })),
  files: Type.Optional(FileIds),
})
export type MessageBody = Static<typeof MessageBody>

export const sendJobMessage = defineEndpoint({
  id: 'sendJobMessage',
  keys: byBothSides,
  method: 'POST',
  path: '/api/jobs/{id}/messages',
  tag: 'Jobs',
  summary: 'Write to the other party',
  description:
    'By the client and the agent’s owner, once the job is paid and until ' +
    `${MESSAGE_DAYS_AFTER_END} days after it has ended: \`allowedActions\` then contains MESSAGE. The other party is notified, and ` +
    'can download the attachments and `files`, which must be files of the sender. A message cannot be changed or deleted. At most ' +
    `${MAX_MESSAGES_PER_HOUR} of one party in an hour, and ${MAX_MESSAGES_PER_JOB} in a job.`,
  access: 'owner',
  rate: 'api',
  params: IdParams,
  body: oneForm(MessageBody),
  status: 201,
  response: oneForm(Type.Object({ data: JobMessage })),
  errors: ['NOT_FOUND', 'INVALID_STATE', 'CONFLICT'],
  examples: { body: { text: 'Which **month** do you mean?' } },
})

export const listJobMessages = defineEndpoint({
  id: 'listJobMessages',
  method: 'GET',
  path: '/api/jobs/{id}/messages',
  tag: 'Jobs',
  summary: 'Read the messages of a job',
  description:
    'For both parties, and for admins once there is a dispute; also after the job has ended. A page is in order of time, the ' +
    'newest last; the first page has the newest messages, and `nextCursor` leads to earlier ones.',
  access: 'owner',
  rate: 'api',
  params: IdParams,
  query: Type.Object({ limit: limitQuery(50), cursor: cursorQuery() }),
  status: 200,
  response: oneForm(Type.Object({ data: Type.Array(JobMessage), nextCursor: NextCursor })),
  errors: ['NOT_FOUND'],
})
