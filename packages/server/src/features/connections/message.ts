import { createHash, createHmac } from 'node:crypto'
import { defaultInputSchema, type SentJob } from '@agent-marketplace/contract'
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
  callback: { publicUrl: URL; token: string },
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
      amount: work.priceMicro.toString(),
      deadline: giveUpAt.toISOString(),
      changes: work.changes,
    },
    callback: { url: new URL(`/api/jobs/${jobId}/callback`, callback.publicUrl).href, token: callback.token },
  }
}

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
      description: 'A test of your connection. Return any result.',
      category: agent.category,
      service: service ? { id: service.id, name: service.name } : null,
      input: service?.examples[0]?.input ?? { [taskField]: 'Say hello.' },
      outputSchema: service?.outputSchema ?? null,
      attachments: [],
      amount: '0',
      deadline: deadline.toISOString(),
      changes: null,
    },
    callback: null,
  }
}

const [taskField] = defaultInputSchema.required as [string]

/** Drawn from the dispatch, so that every attempt carries the same one although only its hash is kept. */
export function callbackTokenOf(dispatchId: string, secret: string): string {
  return `jct_${createHmac('sha256', secret).update(`job callback:${dispatchId}`).digest('base64url')}`
}

export const hashOfToken = (token: string): string => createHash('sha256').update(token).digest('hex')
