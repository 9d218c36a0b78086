import type { Server } from 'node:http'
import type { Unanswered } from './limits/pipelining.ts'

const LINGER_MS = 2_000

/**
 * Reads on for a while behind a response that ends its connection before its request has come whole, such as a 413. Closed at
 * once, a connection is reset by what its client still sends, and the client never reads the response.
 */
export function lingerBehindLast(server: Server, { lastOf }: Pick<Unanswered, 'lastOf'>): void {
  server.on('connection', (socket) => {
    const destroySoon = socket.destroySoon.bind(socket)
    // Node calls it when such a response is written.
    socket.destroySoon = () => {
      const request = lastOf(socket)?.request
      if (!request || request.complete) {
        destroySoon()
        return
      }
      socket.end()
      request.resume()
      const timer = setTimeout(() => socket.destroy(), LINGER_MS)
      socket.once('close', () => clearTimeout(timer))
    }
  })
}
