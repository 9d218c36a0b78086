import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** One address has at most this part of all, so that several are needed to take every place. */
const SHARE_OF_ADDRESS = 0.25

export interface ConnectionsOptions {
  /** How many may be open. */
  most: number
  /** Where one comes from; undefined for a proxy, whose connections are those of many. */
  addressOf: (socket: Socket) => string | undefined
}

export interface Connections {
  openCount(): number
  /** How many were closed because there were too many. */
  closedCount(): number
  /** Whether a request of the connection is under way. */
  setBusy(socket: Socket, isBusy: boolean): void
}

/** Those that are counted together. The ones that wait for a request are kept in the order in which they began to. */
interface Pool {
  most: number
  openCount: number
  waiting: Set<Socket>
}

interface Place {
  address: string | undefined
  pools: readonly Pool[]
}

/**
 * Bounds how many connections are open. Each takes memory, also one that sends nothing or half a head, and anybody can open
 * any number of them. Beyond the bound the one that has waited longest for a request is closed, so that a newcomer is
 * served; where a request is under way on each, the newcomer is.
 */
export function limitConnections(server: Server, { most, addressOf }: ConnectionsOptions): Connections {
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
    for (const pool of pools) {
      pool.openCount += 1
      pool.waiting.add(socket)
    }
    places.set(socket, { address, pools })
    return pools
  }
  const leave = (socket: Socket): void => {
    const { address, pools = [] } = places.get(socket) ?? {}
    places.delete(socket)
    for (const pool of pools) {
      pool.openCount -= 1
      pool.waiting.delete(socket)
    }
    if (address !== undefined && ofAddresses.get(address)?.openCount === 0) ofAddresses.delete(address)
  }
  server.on('connection', (socket) => {
    const pools = enter(socket)
    socket.once('close', () => leave(socket))
    for (const pool of pools) {
      if (pool.openCount <= pool.most) continue
      const [longest = socket] = pool.waiting
      closedCount += 1
      leave(longest)
      longest.destroy()
    }
  })
  return {
    openCount: () => all.openCount,
    closedCount: () => closedCount,
    setBusy(socket, isBusy) {
      for (const { waiting } of places.get(socket)?.pools ?? []) {
        if (isBusy) waiting.delete(socket)
        else waiting.add(socket)
      }
    },
  }
}

const createPool = (most: number): Pool => ({ most, openCount: 0, waiting: new Set() })
