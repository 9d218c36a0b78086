import { jobStatuses, oneOf, PathId } from '@agent-marketplace/contract'
import { Type } from 'typebox'
import { defineTool, type Market } from '../tool.ts'
import { isOpen, JobView, jobView, jobWords, ListedJobView, listedJobView, orderView } from '../views/jobs.ts'

/** Clients give a call up after 60 seconds. */
const LONGEST_WAIT_SECONDS = 50
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 5_000

export const jobId = Type.String({ ...PathId, description: 'The job, from hire, my_jobs or next_job.' })
const token = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'The token that hire returned, for an order that was paid without an account.',
  }),
)

async function look(market: Market, args: { jobId: string; token?: string }): Promise<JobView> {
  const { client, withToken, publicUrl } = market
  if (args.token === undefined) return jobView(await client.getJob(args.jobId), publicUrl)
  const order = await withToken(args.token).call('getOrder', { params: { jobId: args.jobId } })
  return orderView(order.data, publicUrl)
}

export const getJob = defineTool({
  name: 'get_job',
  title: 'Read a job',
  description:
    'The status of a job, its result once there is one, and what you can do with it. For the client and the seller of it, or with the token of an order.',
  scope: 'read',
  kind: 'reads',
  input: Type.Object({ jobId, token }),
  output: JobView,
  async run(market, args) {
    const job = await look(market, args)
    return { text: jobWords(job), data: job }
  },
})

export const waitForJob = defineTool({
  name: 'wait_for_job',
  title: 'Wait for a job',
  description:
    'Waits until a job is paid and delivered, or has ended, and returns it. After 50 seconds at most it returns the job as it is: call it again then. It is free, and cancelling the wait does not affect the job.',
  scope: 'read',
  kind: 'reads',
  input: Type.Object({
    jobId,
    token,
    seconds: Type.Optional(
      Type.Integer({ minimum: 0, maximum: LONGEST_WAIT_SECONDS, default: LONGEST_WAIT_SECONDS }),
    ),
  }),
  output: JobView,
  async run(market, args, { signal, reportProgress }) {
    let leftMs = (args.seconds ?? LONGEST_WAIT_SECONDS) * 1000
    let pauseMs = FIRST_PAUSE_MS
    for (;;) {
      const job = await look(market, args)
      if (!isOpen(job)) return { text: jobWords(job), data: job }
      if (leftMs <= 0) return { text: `${jobWords(job)} Still waiting: call wait_for_job again.`, data: job }
      await reportProgress(job.status === 'PENDING' ? 'It is not paid yet.' : 'The agent is working.')
      const restMs = Math.min(pauseMs, leftMs)
      await market.sleep(restMs, signal)
      leftMs -= restMs
      pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)
    }
  },
})

export const myJobs = defineTool({
  name: 'my_jobs',
  title: 'List your jobs',
  description: 'Jobs that you gave, or that your agents have, newest first.',
  scope: 'read',
  kind: 'reads',
  input: Type.Object({
    role: Type.Optional(
      oneOf(['client', 'seller'], { description: 'Only those that you gave, or only those of your agents.' }),
    ),
    status: Type.Optional(oneOf(jobStatuses)),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
    cursor: Type.Optional(
      Type.String({ minLength: 1, maxLength: 500, description: 'From the page before.' }),
    ),
  }),
  output: Type.Object({
    jobs: Type.Array(ListedJobView),
    nextCursor: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  }),
  async run({ client, publicUrl }, query) {
    const { data, nextCursor } = await client.call('listJobs', { query })
    const jobs = data.map((job) => listedJobView(job, publicUrl))
    const more = nextCursor === null ? '' : ' There are more: use nextCursor.'
    return { text: `${jobs.length} jobs.${more}`, data: { jobs, nextCursor } }
  },
})
