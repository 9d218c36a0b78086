import { AsyncResource } from 'node:async_hooks'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Browsers and libraries wait for a response before they send the next request; those that pipeline send a few ahead. */
const MOST_UNANSWERED = 100
/** On all connections together. Each request takes some eight kilobytes while it waits. */
const MOST_HELD = 5_000

/** A request that has no response yet, or only a part of it. */
export interface Exchange {
  /** Hands the request to its listeners, as an event of the server. */
  begin: () => boolean
  request: IncomingMessage
  response: ServerResponse
}

export interface Unanswered {
  /** How many requests, on all connections, wait for the response to the one before them. */
  heldCount(): number
  countOf(socket: Socket): number
  lastOf(socket: Socket): Exchange | undefined
  /** Whether the request that is under way waits for its client to send the body or to read the response. */
  waitsForClient(socket: Socket): boolean
}

interface UnansweredOptions {
  /** Called when a connection gets its first request without a response, and when it has none left. */
  onBusyChange?: (socket: Socket, isBusy: boolean) => void
}

/**
 * Begins the requests of a connection one after the other, each once the response before it is sent: a few packets can hold
 * thousands of requests, which would keep the event loop to themselves, take all the room there is, and leave as many
 * responses in memory. No request begins after a response that ends its connection. While a request waits to begin, nothing
 * more is read from its connection: further heads and bodies would pile up in memory. A connection with too many requests
 * is closed, and so is one that adds a waiting request when too many wait on all connections together.
 */
export function beginInTurn(
  server: Server,
  { onBusyChange = () => undefined }: UnansweredOptions = {},
): Unanswered {
  const unanswered = new WeakMap<Socket, Exchange[]>()
  const held = new Set<Exchange>()
  const exchangesOf = (socket: Socket): Exchange[] => {
    const exchanges = unanswered.get(socket) ?? []
    if (exchanges.length === 0) unanswered.set(socket, exchanges)
    return exchanges
  }
  const emit = server.emit.bind(server)
  const drop = (exchanges: readonly Exchange[]): void => {
    for (const exchange of exchanges) held.delete(exchange)
  }
  /** In the next turn of the event loop, so that each connection begins at most one request in a turn. */
  const beginNext = (socket: Socket, exchanges: readonly Exchange[]): void => {
    const [next] = exchanges
    if (!next) return
    setImmediate(() => {
      held.delete(next)
      if (socket.destroyed || socket.writableEnded) drop(exchanges)
      else next.begin()
    })
  }
  const add = (event: string, request: IncomingMessage, response: ServerResponse): boolean => {
    const { socket } = request
    const exchanges = exchangesOf(socket)
    if (socket.destroyed || socket.writableEnded || exchanges.some(isLast)) return true
    const isFirst = exchanges.length === 0
    const begin = () => emit(event, request, response)
    // Bound to this context, or it would run in the async context of the request before it.
    const exchange = { begin: isFirst ? begin : AsyncResource.bind(begin), request, response }
    exchanges.push(exchange)
    if (exchanges.length > MOST_UNANSWERED || (!isFirst && held.size >= MOST_HELD)) {
      socket.destroy()
      return true
    }
    if (isFirst) onBusyChange(socket, true)
    else {
      held.add(exchange)
      socket.pause()
    }
    response.once('close', () => {
      const isBegun = exchanges[0] === exchange
      exchanges.splice(exchanges.indexOf(exchange), 1)
      if (isBegun) beginNext(socket, exchanges)
      if (exchanges.length === 1) socket.resume()
      if (exchanges.length === 0) onBusyChange(socket, false)
    })
    return isFirst ? exchange.begin() : true
  }
  server.on('connection', (socket) => {
    socket.once('close', () => drop(exchangesOf(socket)))
    // Node resumes reading whenever a request is complete, even if the stream has been paused since: pause it again.
    socket.on('resume', () => {
      if (exchangesOf(socket).length < 2) return
      if (socket.isPaused()) socket.emit('pause')
      else socket.pause()
    })
  })
  server.emit = (event: string, ...given: unknown[]): boolean => {
    if (event !== 'request' && event !== 'checkExpectation') return emit(event, ...given)
    return add(event, ...(given as [IncomingMessage, ServerResponse]))
  }
  return {
    heldCount: () => held.size,
    countOf: (socket) => unanswered.get(socket)?.length ?? 0,
    lastOf: (socket) => unanswered.get(socket)?.at(-1),
    waitsForClient: (socket) =>
      socket.writableLength > 0 || unanswered.get(socket)?.[0]?.request.complete === false,
  }
}

/** Whether the connection ends with this response. Node decides that when it writes the head, and has no public name for it. */
const isLast = ({ response }: Exchange): boolean => (response as { _last?: boolean })._last === true
