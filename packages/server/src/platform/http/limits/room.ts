import { AsyncLocalStorage } from 'node:async_hooks'

const rooms = new AsyncLocalStorage<() => void>()

/** From here on everything is done for a request that takes room, also what it calls inside; `leave` gives the room up. */
export const holdRoom = (leave: () => void): void => rooms.enterWith(leave)

/**
 * What follows only waits, for the chain, an agent or another service. The request that it is for takes no room any more,
 * and the wait does not make the service look slow.
 */
export const leaveRoom = (): void => rooms.getStore()?.()
