import { type Order, parseOrder } from './order.ts'

/** What is being written to one agent, kept for as long as the tab is open. */
const keyOf = (wallet: string): string => `marketplace.order.${wallet.toLowerCase()}`

export const readOrder = (wallet: string): Order | undefined =>
  parseOrder(sessionStorage.getItem(keyOf(wallet)), Date.now())

export const keepOrder = (wallet: string, order: Order): void =>
  sessionStorage.setItem(keyOf(wallet), JSON.stringify(order))

export const dropOrder = (wallet: string): void => sessionStorage.removeItem(keyOf(wallet))
