import { type Order, parseOrder } from './order.ts'

/** What one owner is writing to one agent, kept for as long as the tab is open. Who signs in there next does not see it. */
const keyOf = (ownerId: string, wallet: string): string =>
  `marketplace.order.${ownerId}.${wallet.toLowerCase()}`

export const readOrder = (ownerId: string, wallet: string): Order | undefined =>
  parseOrder(sessionStorage.getItem(keyOf(ownerId, wallet)), Date.now())

export const keepOrder = (ownerId: string, wallet: string, order: Order): void =>
  sessionStorage.setItem(keyOf(ownerId, wallet), JSON.stringify(order))

export const dropOrder = (ownerId: string, wallet: string): void =>
  sessionStorage.removeItem(keyOf(ownerId, wallet))
