import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Browsers and libraries wait for a response before they send the next request; those that pipeline send a few ahead. */
const MOST_UNANSWERED = 100

/** A request that has no response yet, or only a part of it. */
export interface Exchange {
  request: IncomingMessage
  response: ServerResponse
}

export interface Unanswered {
  countOf(socket: Socket): number
  lastOf(socket: Socket): Exchange | undefined
}

interface UnansweredOptions {
  /** Called when a connection has its first unanswered request, and when it has none any more. */
  onChange?: (socket: Socket, isBusy: boolean) => void
}

/**
 * Closes connections with more requests that have no response yet. Node reads on for as long as no response waits to be
 * sent, so a client that reads nothing could leave any number of them in memory. One read from the network may hold a
 * thousand: those beyond the limit reach no listener, since nobody would get their responses. Neither does what comes after
 * a response that says that the connection ends with it.
 */
export function limitUnanswered(
  server: Server,
  { onChange = () => undefined }: UnansweredOptions = {},
): Unanswered {
  const unanswered = new WeakMap<Socket, Exchange[]>()
  const exchangesOf = (socket: Socket): Exchange[] => {
    const exchanges = unanswered.get(socket) ?? []
    if (exchanges.length === 0) unanswered.set(socket, exchanges)
    return exchanges
  }
  const emit = server.emit.bind(server)
  server.emit = (event: string, ...given: unknown[]): boolean => {
    if (event !== 'request' && event !== 'checkExpectation') return emit(event, ...given)
    const [request, response] = given as [IncomingMessage, ServerResponse]
    const { socket } = request
    const exchanges = exchangesOf(socket)
    if (socket.writableEnded || exchanges.some(isLast)) return true
    const exchange = { request, response }
    if (exchanges.push(exchange) > MOST_UNANSWERED) {
      socket.destroy()
      return true
    }
    if (exchanges.length === 1) onChange(socket, true)
    response.once('close', () => {
      exchanges.splice(exchanges.indexOf(exchange), 1)
      if (exchanges.length === 0) onChange(socket, false)
    })
    return emit(event, ...given)
  }
  return {
    countOf: (socket) => unanswered.get(socket)?.length ?? 0,
    lastOf: (socket) => unanswered.get(socket)?.at(-1),
  }
}

/** Node knows it as soon as the head is written, and has no public name for it. */
const isLast = ({ response }: Exchange): boolean => (response as { _last?: boolean })._last === true
