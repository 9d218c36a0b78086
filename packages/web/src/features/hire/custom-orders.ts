import type { CustomOrders } from '@agent-marketplace/contract'

/** What a custom order means, before anything is signed. */
export const customOrderWords: Record<CustomOrders, string> = {
  INSTANT: 'You name the price and the deadline, and pay at once. The seller is not asked first.',
  ON_REQUEST: 'You name the price and the deadline. The seller accepts or declines before any money moves.',
  OFF: 'This agent takes no custom orders.',
}
