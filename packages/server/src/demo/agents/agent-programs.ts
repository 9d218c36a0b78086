import { timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Value } from 'typebox/value'
import type { Clock } from '../../platform/clock/clock.ts'
import { signedHeaders } from '../../platform/outbound/signature.ts'
import type { HouseAgent } from './house-agents.ts'

/** More than a job ever has. */
const MAX_BODY_BYTES = 1_000_000
/** As Standard Webhooks asks for. */
const MAX_AGE_SECONDS = 300

interface Response {
  status: number
  body: unknown
}

/**
 * The programs of the house agents, as a seller would run them: an HTTP server on this machine, on a port of its own. It
 * works only for requests that are signed with the secret of the agent's connection.
 */
export async function startAgentPrograms(agents: readonly HouseAgent[], wallClock: Clock) {
  const secrets = new Map<string, string>()

  const respond = async (request: IncomingMessage): Promise<Response> => {
    const agent = agents.find(({ slug }) => request.url === `/${slug}`)
    if (!agent) return failure(404, 'There is no such agent.')
    if (request.method !== 'POST') return failure(405, 'Send a job with POST.')
    const body = await readBody(request)
    if (body === undefined) return failure(413, 'This is too large for a job.')
    if (!isSigned(request, body, secrets.get(agent.slug), wallClock))
      return failure(401, 'This is not signed.')
    const input: unknown = JSON.parse(body).job.input
    if (!Value.Check(agent.inputSchema, input)) return failure(422, 'The input does not fit the service.')
    return { status: 200, body: { output: agent.work(input) } }
  }

  const server = createServer(async (request, response) => {
    const { status, body } = await respond(request).catch(() => failure(400, 'This is no job.'))
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  return {
    urlOf: ({ slug }: HouseAgent): string => `http://127.0.0.1:${port}/${slug}`,
    /** From now on the agent works for calls that are signed with this secret. */
    trust: ({ slug }: HouseAgent, secret: string): void => void secrets.set(slug, secret),
    async close(): Promise<void> {
      server.close()
      server.closeIdleConnections()
      await once(server, 'close')
    },
  }
}

export type AgentPrograms = Awaited<ReturnType<typeof startAgentPrograms>>

const failure = (status: number, error: string): Response => ({ status, body: { error } })

/** Undefined where it is too long. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function isSigned(
  { headers }: IncomingMessage,
  body: string,
  secret: string | undefined,
  wallClock: Clock,
): boolean {
  const timestampSeconds = Number(headers['webhook-timestamp'])
  const ageSeconds = Math.abs(wallClock.now().getTime() / 1000 - timestampSeconds)
  if (secret === undefined || !(ageSeconds <= MAX_AGE_SECONDS)) return false
  const eventId = String(headers['webhook-id'])
  const expected = Buffer.from(
    signedHeaders({ eventId, timestampSeconds, body }, [secret])['webhook-signature'] ?? '',
  )
  return String(headers['webhook-signature'])
    .split(' ')
    .map((signature) => Buffer.from(signature))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected))
}
