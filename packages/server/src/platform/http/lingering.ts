import type { Server } from 'node:http'
import type { Unanswered } from './limits/pipelining.ts'

const LINGER_MS = 2_000

/**
 * Keeps reading for a while after a response that ends its connection before the request is complete, such as a 413. If the
 * connection were closed at once, what the client still sends would reset it, and the client would never read the response.
 */
export function lingerAfterLast(server: Server, { lastOf }: Pick<Unanswered, 'lastOf'>): void {
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
