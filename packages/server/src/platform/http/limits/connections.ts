import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** One address gets at most this part of all connections, so that it takes several to use them up. */
const SHARE_OF_ADDRESS = 0.25

export interface ConnectionLimit {
  /** How many may be open. */
  most: number
  /** The address that a connection counts for; undefined for a proxy, which carries the connections of many clients. */
  addressOf: (socket: Socket) => string | undefined
}

interface ConnectionsDeps extends ConnectionLimit {
  /** Whether the request that is under way waits for its client to send the body or to read the response. */
  waitsForClient: (socket: Socket) => boolean
}

export interface Connections {
  openCount(): number
  /** How many were closed because there were too many. */
  closedCount(): number
  /** Whether a request of the connection is under way. */
  setBusy(socket: Socket, isBusy: boolean): void
}

/** Connections that are counted together, each set in the order in which they began to wait for a request or to be busy with one. */
interface Pool {
  most: number
  waiting: Set<Socket>
  busy: Set<Socket>
}

interface Place {
  address: string | undefined
  pools: readonly Pool[]
}

/**
 * Limits how many connections are open. Each takes memory, even one that sends nothing or half a head, and anybody can open
 * any number of them. Beyond the limit one is closed to make room for a newcomer: the one that has waited longest for a
 * request. If a request is under way on every connection, it is the oldest that waits for its client, because a client could
 * hold any number of them by reading nothing. If none waits for its client, the newcomer is closed.
 */
export function limitConnections(
  server: Server,
  { most, addressOf, waitsForClient }: ConnectionsDeps,
): Connections {
  const all = createPool(most)
  const ofAddresses = new Map<string, Pool>()
  const places = new WeakMap<Socket, Place>()
  let closedCount = 0

  const poolOf = (address: string): Pool => {
    const pool = ofAddresses.get(address) ?? createPool(Math.ceil(most * SHARE_OF_ADDRESS))
    ofAddresses.set(address, pool)
    return pool
  }
  const enter = (socket: Socket): readonly Pool[] => {
    const address = addressOf(socket)
    const pools = address === undefined ? [all] : [poolOf(address), all]
    for (const { waiting } of pools) waiting.add(socket)
    places.set(socket, { address, pools })
    return pools
  }
  const leave = (socket: Socket): void => {
    const { address, pools = [] } = places.get(socket) ?? {}
    places.delete(socket)
    for (const { waiting, busy } of pools) {
      waiting.delete(socket)
      busy.delete(socket)
    }
    const own = address === undefined ? undefined : ofAddresses.get(address)
    if (address !== undefined && own && openCountOf(own) === 0) ofAddresses.delete(address)
  }
  server.on('connection', (socket) => {
    const pools = enter(socket)
    socket.once('close', () => leave(socket))
    for (const pool of pools) {
      if (openCountOf(pool) <= pool.most) continue
      const [longest = socket] = pool.waiting
      const closed = longest === socket ? (firstOf(pool.busy, waitsForClient) ?? socket) : longest
      closedCount += 1
      leave(closed)
      closed.destroy()
    }
  })
  return {
    openCount: () => openCountOf(all),
    closedCount: () => closedCount,
    setBusy(socket, isBusy) {
      for (const { waiting, busy } of places.get(socket)?.pools ?? []) {
        const [before, after] = isBusy ? [waiting, busy] : [busy, waiting]
        before.delete(socket)
        after.add(socket)
      }
    },
  }
}

const createPool = (most: number): Pool => ({ most, waiting: new Set(), busy: new Set() })

const openCountOf = ({ waiting, busy }: Pool): number => waiting.size + busy.size

function firstOf(sockets: Iterable<Socket>, isWanted: (socket: Socket) => boolean): Socket | undefined {
  for (const socket of sockets) if (isWanted(socket)) return socket
  return undefined
}
