import type { IncomingMessage } from 'node:http'
import { sql } from '../../../platform/db/sql.ts'
import { type Reply, respondWith, startReceiver } from '../../../testing/processes/start-receiver.ts'
import type { WorldOverrides } from '../../../testing/start-world.ts'
import { createJobCalls } from '../../jobs/testing/job-calls.ts'
import { startJobs, type TestAgent, type TestOwner } from '../../jobs/testing/start-jobs.ts'

export const respondJson = (status: number, body: unknown) => respondWith(status, JSON.stringify(body))

const isProbe = ({ headers }: IncomingMessage): boolean =>
  headers['user-agent']?.startsWith('agent-marketplace-ping') ?? false

/** A world with jobs, and an agent's program: a real HTTP server that gets what the service sends. */
export async function startConnections({ ports, ...overrides }: WorldOverrides = {}) {
  const world = await startJobs({ ...overrides, ports: (own) => ({ trialPauseMs: 1, ...ports?.(own) }) })
  const receiver = await startReceiver()
  const program = {
    ...receiver,
    /** To all but probes, which get their 405 at once. */
    respondWith: (reply: Reply) =>
      receiver.respondWith((request, response) =>
        isProbe(request) ? respondWith(405)(request, response) : reply(request, response),
      ),
  }
  const calls = createJobCalls(world)
  const inject = (
    method: 'GET' | 'PUT' | 'POST' | 'DELETE',
    url: string,
    headers: Record<string, string>,
    payload?: object,
  ) => world.http.inject({ method, url, headers, ...(payload && { payload }) })

  return {
    ...world,
    ...calls,
    program,
    inject,

    /** A seller with an agent whose jobs go to the program. */
    async newConnectedAgent(services: Parameters<typeof world.newAgent>[1] = {}) {
      const seller = await world.newOwner()
      const agent = await world.newAgent(seller, services)
      const url = `/api/agents/${agent.wallet}/connection`
      const set = await inject('PUT', url, seller.headers, { kind: 'HTTP', url: program.url })
      if (set.statusCode !== 200) throw new Error(set.body)
      const secret: string = set.json().data.secret
      return { seller, agent, url, secret }
    },

    connectionOf: async (seller: TestOwner, agent: TestAgent) =>
      (await inject('GET', `/api/agents/${agent.wallet}/connection`, seller.headers)).json().data,

    /** All that the worker does: what is due is sent, what is past its deadline ends. */
    work: () => world.queue.runAllNow({ onlyDue: true }),

    /** What the program was sent for this job, oldest first. */
    sentFor: (jobId: string) =>
      program.received
        .filter(({ method }) => method === 'POST')
        .map(({ headers, body, ...rest }) => ({ ...rest, headers, text: body, body: JSON.parse(body) }))
        .filter(({ body }) => body.job.id === jobId),

    countDeliveries: async (jobId: string): Promise<number> =>
      (
        await world.db.one<{ count: number }>(
          sql`select count(*)::integer as count from job_deliveries where job_id = ${jobId}`,
        )
      ).count,

    callback: (jobId: string, token: string | undefined, payload: object, verb = 'deliver') =>
      inject(
        'POST',
        `/api/jobs/${jobId}/callback/${verb}`,
        token === undefined ? {} : { authorization: `Bearer ${token}` },
        payload,
      ),

    async close(): Promise<void> {
      await world.close()
      await program.close()
    },
  }
}
