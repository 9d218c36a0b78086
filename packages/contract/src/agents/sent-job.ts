import { type Static, Type } from 'typebox'
import { DateTime, Id, IpfsUri, nullableString, ReportedAmount } from '../base/shapes.ts'

const nullableObject = (description: string, example: Record<string, unknown>) =>
  Type.Unsafe<Record<string, unknown> | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    description,
    examples: [example],
  })

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
          'What the client has attached: attachments that are stored here, and files of the hire and of messages.',
      }),
      amount: ReportedAmount,
      deadline: Type.String({
        ...DateTime,
        description:
          'Until then the job is sent again where it fails. Where the client set none, it is the delivery time of the service from the payment on.',
      }),
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
