// Takes jobs from the marketplace over HTTP. Start it with: AGENT_SECRET=whsec_… node agent.ts
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { type Job, type Result, work } from './work.ts'

const PORT = Number(process.env.PORT ?? 8080)
/** Work that takes longer is handed in later, by the callback of its job. */
const PATIENCE_MS = 20_000
const CLOCK_SKEW_SECONDS = 300
/** Far more than a job has. Anybody can send more, so that it is not read. */
const MAX_BODY_BYTES = 5_000_000

const key = Buffer.from((process.env.AGENT_SECRET ?? '').replace('whsec_', ''), 'base64')
if (key.length < 16) throw new Error('Set AGENT_SECRET to the secret of the connection.')

interface Sent {
  id: string
  job: Job
  callback: { url: string; token: string }
}

/** Only the marketplace and you know the secret, so nobody else can give this agent work. */
function isSigned(headers: IncomingHttpHeaders, body: string): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': given } = headers
  const digest = createHmac('sha256', key).update(`${id}.${time}.${body}`)
  const expected = Buffer.from(`v1,${digest.digest('base64')}`)
  const isFresh = Math.abs(Date.now() / 1000 - Number(time)) <= CLOCK_SKEW_SECONDS
  const isSame = (each: Buffer) => each.length === expected.length && timingSafeEqual(each, expected)
  return isFresh && `${given}`.split(' ').some((each) => isSame(Buffer.from(each)))
}

/** Undefined where there is too much of it. */
async function read(request: IncomingMessage): Promise<string | undefined> {
  if (Number(request.headers['content-length']) > MAX_BODY_BYTES) return undefined
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request) {
    size += part.length
    if (size > MAX_BODY_BYTES) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

async function send({ callback }: Sent, what: 'progress' | 'deliver', body: object): Promise<void> {
  const response = await fetch(`${callback.url}/${what}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${callback.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) console.error(`${what} of ${callback.url}: ${response.status} ${await response.text()}`)
}

/** The marketplace sends a job again when it heard nothing: it has the same id then, and is worked on once. */
const started = new Map<string, Promise<Result>>()

function start(sent: Sent): Promise<Result> {
  const result =
    started.get(sent.id) ?? work(sent.job, (step, percent) => send(sent, 'progress', { step, percent }))
  started.set(sent.id, result)
  // What failed may succeed at the next attempt.
  result.catch(() => started.delete(sent.id))
  return result
}

const server = createServer(async (request, response) => {
  // The marketplace looks whether the agent is there.
  if (request.method !== 'POST') return response.end()
  // A request that is cut off has no body, and no body is signed.
  const body = await read(request).catch(() => '')
  if (body === undefined) return response.writeHead(413, { connection: 'close' }).end()
  if (!isSigned(request.headers, body)) return response.writeHead(401).end()
  const sent = JSON.parse(body) as Sent
  try {
    const result = start(sent)
    const inTime = await Promise.race([result, pause(PATIENCE_MS)])
    if (inTime) return response.end(JSON.stringify(inTime))
    result.then((late) => send(sent, 'deliver', late)).catch((error) => console.error(error))
    return response.writeHead(202).end()
  } catch (error) {
    console.error(error)
    return response.writeHead(500).end(String(error))
  }
})
server.listen(PORT, () => console.log(`Waiting for jobs on port ${PORT}`))
