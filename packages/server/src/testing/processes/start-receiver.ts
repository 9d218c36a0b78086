import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedMessage {
  method: string
  path: string
  headers: Record<string, string>
  body: string
}

export type Reply = (request: IncomingMessage, response: ServerResponse) => void

export const respondWith =
  (status: number, body = '', headers: Record<string, string> = {}): Reply =>
  (_request, response) =>
    void response.writeHead(status, headers).end(body)

/** Takes the message and says nothing, for as long as the sender waits. */
export const silence: Reply = () => undefined

/** A receiver as an owner would run one: an HTTP server on this machine that keeps what it was sent. */
export async function startReceiver() {
  const received: ReceivedMessage[] = []
  let reply: Reply = respondWith(204)
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    )
    const { method = '', url: path = '' } = request
    received.push({ method, path, headers, body: Buffer.concat(chunks).toString('utf8') })
    reply(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  return {
    port,
    url: `http://127.0.0.1:${port}/hook`,
    received,
    respondWith(next: Reply) {
      reply = next
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** How many of the message's signatures this secret made, counted as the Standard Webhooks text says, by the receiver's own code. */
export function countValidSignatures({ headers, body }: ReceivedMessage, secret: string): number {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(signed).digest()
  const signatures = (headers['webhook-signature'] ?? '').split(' ')
  return signatures.filter((signature) => {
    const [version, digest = ''] = signature.split(',')
    const given = Buffer.from(digest, 'base64')
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
  }).length
}
