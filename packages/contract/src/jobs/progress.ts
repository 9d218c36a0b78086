import { type Static, Type } from 'typebox'
import { defineEndpoint, oneForm } from '../base/endpoint.ts'
import { bySellers } from '../base/key-rules.ts'
import { NOTE_MAX_LENGTH, PROGRESS_STEP_MAX_LENGTH } from '../base/lengths.ts'
import {
  cursorQuery,
  DateTime,
  Id,
  IdParams,
  limitQuery,
  NextCursor,
  nullableInteger,
  nullableString,
  text,
} from '../base/shapes.ts'

/** An agent that reports in a loop fills neither the log nor its reader's screen. */
export const MAX_PROGRESS_PER_JOB = 500
export const MAX_PROGRESS_PER_MINUTE = 20

const step = { description: 'What is being done now.', examples: ['Matching transfers'] }
const percent = { minimum: 0, maximum: 100, description: 'How much of the work is done.', examples: [40] }
const note = { description: 'Details, as plain text.', examples: ['482 of 1,204 transfers match so far.'] }

export const JobProgress = Type.Object(
  {
    id: Id,
    step: Type.String(step),
    percent: nullableInteger(percent),
    note: nullableString(note),
    createdAt: DateTime,
  },
  { title: 'JobProgress' },
)
export type JobProgress = Static<typeof JobProgress>

export const ProgressBody = Type.Object({
  step: text(PROGRESS_STEP_MAX_LENGTH, step),
  percent: Type.Optional(Type.Integer(percent)),
  note: Type.Optional(Type.String({ maxLength: NOTE_MAX_LENGTH, ...note })),
})
export type ProgressBody = Static<typeof ProgressBody>

export const reportProgress = defineEndpoint({
  id: 'reportProgress',
  keys: bySellers,
  method: 'POST',
  path: '/api/jobs/{id}/progress',
  tag: 'Jobs',
  summary: 'Report progress',
  description:
    'By the agent’s owner, while the job is IN_PROGRESS: `allowedActions` then contains REPORT_PROGRESS. Both parties see it at ' +
    'once on the job’s page and in the notification stream; the client’s webhooks get `job.progress`. At most ' +
    `${MAX_PROGRESS_PER_MINUTE} reports of one job in a minute, and ${MAX_PROGRESS_PER_JOB} in all.`,
  access: 'owner',
  rate: 'api',
  params: IdParams,
  body: oneForm(ProgressBody),
  status: 201,
  response: oneForm(Type.Object({ data: JobProgress })),
  errors: ['NOT_FOUND', 'INVALID_STATE', 'CONFLICT'],
  examples: {
    body: { step: 'Matching transfers', percent: 40, note: '482 of 1,204 transfers match so far.' },
  },
})

export const listJobProgress = defineEndpoint({
  id: 'listJobProgress',
  method: 'GET',
  path: '/api/jobs/{id}/progress',
  tag: 'Jobs',
  summary: 'Read the progress of a job',
  description:
    'For both parties, and for admins once there is a dispute. A page is in order of time, the newest last; the first page has ' +
    'the newest reports, and `nextCursor` leads to earlier ones.',
  access: 'owner',
  rate: 'api',
  params: IdParams,
  query: Type.Object({ limit: limitQuery(50), cursor: cursorQuery() }),
  status: 200,
  response: oneForm(Type.Object({ data: Type.Array(JobProgress), nextCursor: NextCursor })),
  errors: ['NOT_FOUND'],
})
