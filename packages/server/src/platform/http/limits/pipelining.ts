import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Browsers and libraries wait for a response before they send the next request; those that pipeline send a few ahead. */
const MOST_UNANSWERED = 100

/**
 * Closes connections with more requests that have no response yet. Node reads on for as long as no response waits to be
 * sent, so a client that reads nothing could leave any number of them in memory. One read from the network may hold a
 * thousand: those beyond the limit reach no listener, since nobody would get their responses.
 */
export function limitUnanswered(server: Server): void {
  const unanswered = new WeakMap<Socket, number>()
  const add = (socket: Socket, change: 1 | -1): number => {
    const count = (unanswered.get(socket) ?? 0) + change
    unanswered.set(socket, count)
    return count
  }
  const emit = server.emit.bind(server)
  server.emit = (event: string, ...given: unknown[]): boolean => {
    if (event !== 'request' && event !== 'checkExpectation') return emit(event, ...given)
    const [{ socket }, response] = given as [IncomingMessage, ServerResponse]
    response.once('close', () => add(socket, -1))
    if (add(socket, 1) <= MOST_UNANSWERED) return emit(event, ...given)
    socket.destroy()
    return true
  }
}
