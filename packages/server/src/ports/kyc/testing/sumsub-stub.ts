import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Clock } from '../../../platform/clock/clock.ts'

const MAX_CLOCK_SKEW_SECONDS = 60

export interface SumsubStubOptions {
  appToken: string
  secretKey: string
  levelName: string
  clock: Clock
}

interface Reply {
  status: number
  body: unknown
}

/** How the stub misbehaves, for the tests of failure. */
export type SumsubFault = { status: number; body: string; location?: string } | 'silence'

export interface SumsubStub {
  url: string
  /** Applicant ids by external user id. */
  applicants: Map<string, string>
  /** What a check of an applicant found, by applicant id: `type` and `info` as the provider returns them. */
  identities: Map<string, object>
  requests: { method: string; path: string; body: Record<string, unknown> }[]
  /** When set, every request whose path contains `path` goes wrong in this way. */
  breakAt(path: string, fault: SumsubFault): void
  close(): Promise<void>
}

/** A server that behaves as Sumsub documents it, and accepts only requests signed as Sumsub documents it. */
export async function startSumsubStub(options: SumsubStubOptions): Promise<SumsubStub> {
  const applicants = new Map<string, string>()
  const identities: SumsubStub['identities'] = new Map()
  const requests: SumsubStub['requests'] = []
  let broken: { path: string; fault: SumsubFault } | undefined
  let links = 0

  const server = createServer(async (request, response) => {
    const payload = await text(request)
    const path = request.url ?? ''
    if (broken && path.includes(broken.path)) {
      if (broken.fault === 'silence') return
      const { status, body, location } = broken.fault
      response.writeHead(status, location ? { location } : {}).end(body)
      return
    }
    const reply = isSigned(request, payload, options)
      ? handle(request.method ?? '', path, payload)
      : { status: 401, body: { description: 'Request signature mismatch' } }
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(JSON.stringify(reply.body))
  })

  function handle(method: string, path: string, payload: string): Reply {
    const body: Record<string, unknown> = payload === '' ? {} : JSON.parse(payload)
    requests.push({ method, path, body })
    const create = `/resources/applicants?levelName=${encodeURIComponent(options.levelName)}`
    if (method === 'POST' && path === create) return createApplicant(String(body.externalUserId))
    if (method === 'POST' && path === '/resources/sdkIntegrations/levels/-/websdkLink')
      return createLink(body)
    const lookup = /^\/resources\/applicants\/-;externalUserId=([^/]+)\/one$/.exec(path)
    const found = lookup && applicants.get(decodeURIComponent(lookup[1] ?? ''))
    if (method === 'GET' && found) return { status: 200, body: { id: found } }
    const id = /^\/resources\/applicants\/([0-9a-f]{24})\/one$/.exec(path)?.[1]
    if (method === 'GET' && id) return { status: 200, body: { id, ...identities.get(id) } }
    return { status: 404, body: { description: 'Not found' } }
  }

  function createApplicant(externalUserId: string): Reply {
    if (applicants.has(externalUserId)) {
      return { status: 409, body: { description: 'Applicant with this external user id already exists' } }
    }
    const id = (applicants.size + 1).toString(16).padStart(24, '0')
    applicants.set(externalUserId, id)
    return { status: 201, body: { id, externalUserId, review: { reviewStatus: 'init' } } }
  }

  function createLink({ levelName, userId, ttlInSecs }: Record<string, unknown>): Reply {
    const isKnown = applicants.has(String(userId)) && levelName === options.levelName
    if (!isKnown || !Number.isInteger(ttlInSecs)) return { status: 400, body: { description: 'Bad request' } }
    links += 1
    const place = `${applicants.get(String(userId))}/${links}`
    return { status: 200, body: { url: `https://in.example.com/websdk/p/${place}` } }
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    applicants,
    identities,
    requests,
    breakAt(path, fault) {
      broken = { path, fault }
    },
    async close() {
      if (!server.listening) return
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function isSigned(request: IncomingMessage, payload: string, options: SumsubStubOptions): boolean {
  const { 'x-app-token': token, 'x-app-access-ts': seconds, 'x-app-access-sig': signature } = request.headers
  const skewSeconds = Math.abs(Number(seconds) - options.clock.now().getTime() / 1000)
  if (token !== options.appToken || !(skewSeconds <= MAX_CLOCK_SKEW_SECONDS)) return false
  const signed = `${seconds}${request.method}${request.url}${payload}`
  return signature === createHmac('sha256', options.secretKey).update(signed).digest('hex')
}
