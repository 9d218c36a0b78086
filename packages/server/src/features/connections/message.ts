import { createHash, createHmac } from 'node:crypto'
import { defaultInputSchema, type JobFile, type SentFile, type SentJob } from '@agent-marketplace/contract'
import type { Work } from '../../house/work.ts'

/** The same for every attempt of a round, so that an agent does its work once. */
export const dispatchIdOf = ({ jobId, round }: { jobId: string; round: number }): string =>
  `job_${jobId}_${round}`

export function messageOf(
  {
    id,
    jobId,
    attempts,
    error,
    giveUpAt,
  }: {
    id: string
    jobId: string
    attempts: number
    error: string | null
    giveUpAt: Date
  },
  work: Work,
  files: readonly JobFile[],
  { publicUrl, token }: Callback,
): SentJob {
  return {
    id,
    test: false,
    attempt: attempts + 1,
    lastError: error,
    job: {
      id: jobId,
      title: work.title,
      description: work.description,
      category: work.category,
      service: work.service,
      input: work.input,
      outputSchema: work.outputSchema,
      attachments: work.attachments,
      files: files.map((file) => sentFileOf(jobId, file, { publicUrl, token })),
      amount: work.priceMicro.toString(),
      deadline: giveUpAt.toISOString(),
      changes: work.changes,
    },
    callback: callbackOf(jobId, { publicUrl, token }),
  }
}

/** Where the agent reports, and the token it sends there. */
export interface Callback {
  publicUrl: URL
  token: string
}

export const callbackOf = (jobId: string, { publicUrl, token }: Callback) => ({
  url: callbackUrlOf(jobId, publicUrl),
  token,
})

const callbackUrlOf = (jobId: string, publicUrl: URL): string =>
  new URL(`/api/jobs/${jobId}/callback`, publicUrl).href

export const sentFileOf = (
  jobId: string,
  { id, name, mediaType, sizeBytes }: Pick<JobFile, 'id' | 'name' | 'mediaType' | 'sizeBytes'>,
  { publicUrl, token }: Callback,
): SentFile => ({
  name,
  mediaType,
  sizeBytes,
  url: `${callbackUrlOf(jobId, publicUrl)}/files/${id}?access=${accessTo(id, token)}`,
})

/** Opens one file without the token, as long as the token is valid: many programs fetch a URL without any header. */
export const accessTo = (fileId: string, token: string): string =>
  createHmac('sha256', token).update(`job file:${fileId}`).digest('base64url')

/** The part of a service that a test job is made of. */
export interface SampleService {
  id: string
  name: string
  inputSchema: Record<string, unknown>
  outputSchema: Record<string, unknown>
  examples: { input: Record<string, unknown> }[]
}

/** A job for the agent's first service that has sample work; else one in words. */
export function sampleJob(
  ids: { id: string; jobId: string },
  agent: { category: string; services: readonly SampleService[] },
  deadline: Date,
  callback: SentJob['callback'],
): SentJob {
  const service = agent.services.find(({ examples }) => examples.length > 0)
  return {
    id: ids.id,
    test: true,
    attempt: 1,
    lastError: null,
    job: {
      id: ids.jobId,
      title: 'Test job',
      description: `A test of your connection. ${service ? 'Return a result that fits outputSchema.' : 'Return any text.'}`,
      category: agent.category,
      service: service ? { id: service.id, name: service.name } : null,
      input: service?.examples[0]?.input ?? { [taskField]: 'Say hello.' },
      outputSchema: service?.outputSchema ?? null,
      attachments: [],
      files: [],
      amount: '0',
      deadline: deadline.toISOString(),
      changes: null,
    },
    callback,
  }
}

const [taskField] = defaultInputSchema.required as [string]

const TOKEN_PREFIX = 'jct_'
const TEST_TOKEN_PREFIX = 'jtt_'

export const isCallbackToken = (token: string): boolean => token.startsWith(TOKEN_PREFIX)
export const isTestToken = (token: string): boolean => token.startsWith(TEST_TOKEN_PREFIX)

/** Drawn from the dispatch, so that every attempt carries the same one although only its hash is kept. */
export function callbackTokenOf(dispatchId: string, secret: string): string {
  return `${TOKEN_PREFIX}${createHmac('sha256', secret).update(`job callback:${dispatchId}`).digest('base64url')}`
}

/** Of a test job: it opens no job. */
export function testTokenOf(testId: string, secret: string): string {
  return `${TEST_TOKEN_PREFIX}${createHmac('sha256', secret).update(`test callback:${testId}`).digest('base64url')}`
}

export const hashOfToken = (token: string): string => createHash('sha256').update(token).digest('hex')
