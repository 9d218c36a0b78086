import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Browsers and libraries wait for a response before they send the next request; those that pipeline send a few ahead. */
const MOST_UNANSWERED = 100

/**
 * Counts the requests of each connection that have no response yet. Node reads on for as long as no response waits to be
 * sent, so a client that reads nothing could leave any number of them in memory.
 */
export function countUnanswered(): (request: IncomingMessage, response: ServerResponse) => boolean {
  const unanswered = new WeakMap<Socket, number>()
  const add = (socket: Socket, change: 1 | -1): number => {
    const count = (unanswered.get(socket) ?? 0) + change
    unanswered.set(socket, count)
    return count
  }
  return ({ socket }, response) => {
    response.once('close', () => add(socket, -1))
    return add(socket, 1) > MOST_UNANSWERED
  }
}
