import { AsyncResource } from 'node:async_hooks'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Browsers and libraries wait for a response before they send the next request; those that pipeline send a few ahead. */
const MOST_UNANSWERED = 100
/** Of all connections together. Each takes some eight kilobytes while it waits. */
const MOST_HELD = 5_000

/** A request that has no response yet, or only a part of it. */
export interface Exchange {
  begin: () => boolean
  request: IncomingMessage
  response: ServerResponse
}

export interface Unanswered {
  /** How many wait to begin until the response before theirs is sent. */
  heldCount(): number
  countOf(socket: Socket): number
  lastOf(socket: Socket): Exchange | undefined
  /** Whether the one that is under way waits for its client, to send the body or to read the response. */
  waitsForClient(socket: Socket): boolean
}

interface UnansweredOptions {
  /** Called when a connection has its first unanswered request, and when it has none any more. */
  onChange?: (socket: Socket, isBusy: boolean) => void
}

/**
 * Begins the requests of a connection one after the other, each once the response before is sent: a few packets hold
 * thousands, which would have the event loop to themselves, take every room, and leave as many responses in memory. Closes
 * connections with more than a hundred, or where too many wait. Nothing is begun behind a response that says that the connection ends with it.
 * A connection on which one waits to begin is not read on: what follows would wait in memory, heads and bodies.
 */
export function limitUnanswered(
  server: Server,
  { onChange = () => undefined }: UnansweredOptions = {},
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
  /** In a turn of its own, so that each connection has one request in a turn. */
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
    // Bound, or it would begin as a part of what the one before it was done for.
    const exchange = { begin: isFirst ? begin : AsyncResource.bind(begin), request, response }
    exchanges.push(exchange)
    if (exchanges.length > MOST_UNANSWERED || (!isFirst && held.size >= MOST_HELD)) {
      socket.destroy()
      return true
    }
    if (isFirst) onChange(socket, true)
    else {
      held.add(exchange)
      socket.pause()
    }
    response.once('close', () => {
      const isBegun = exchanges[0] === exchange
      exchanges.splice(exchanges.indexOf(exchange), 1)
      if (isBegun) beginNext(socket, exchanges)
      if (exchanges.length === 1) socket.resume()
      if (exchanges.length === 0) onChange(socket, false)
    })
    return isFirst ? exchange.begin() : true
  }
  server.on('connection', (socket) => {
    socket.once('close', () => drop(exchangesOf(socket)))
    // Node reads on whenever a request has come whole, even on a stream that was paused since: it has to stop again.
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

/** Node knows it as soon as the head is written, and has no public name for it. */
const isLast = ({ response }: Exchange): boolean => (response as { _last?: boolean })._last === true
