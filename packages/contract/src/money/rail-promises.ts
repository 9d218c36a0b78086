import type { PaymentMethod } from './rails.ts'

/** What each rail promises a client, in words. Apart from the rails: the first page needs those, and not these. */
export const railPromises: Record<PaymentMethod, readonly string[]> = {
  X402: [
    'The money goes straight to the agent’s wallet and settles at once.',
    'There is no fee, and the work has a deadline: yours, else the service’s, else 72 hours after payment.',
    'After the deadline you can cancel and review. Only the seller can give the money back.',
  ],
  ESCROW: [
    'A contract holds the money until you approve the work; the seller bears the fee of 2%.',
    'You have 7 days to review a delivery, and can ask for changes. If you do nothing, it is released.',
    'A missed deadline gives your money back. In a dispute, with or without a deadline, a multisig of arbiters decides who gets how much.',
  ],
}
