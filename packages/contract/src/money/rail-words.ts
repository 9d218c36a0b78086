import type { PaymentMethod } from './rails.ts'

/** What each rail promises a client. The words stand apart from the rails: the first page needs those, and not these. */
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

/** How a client pays on each rail: for a job that is there, and for a quoted one in the call that makes it. */
export const railInstructions: Record<
  PaymentMethod,
  { forJob: (jobId: string) => string; forQuote: string }
> = {
  X402: {
    forJob: (jobId) =>
      `Call POST /api/jobs/${jobId}/pay: it returns 402 with the offer in PAYMENT-REQUIRED. Sign it and repeat the call with PAYMENT-SIGNATURE.`,
    forQuote:
      'Sign `requirements` and send the same body with `reservation` to POST /api/jobs, the x402 payment in PAYMENT-SIGNATURE.',
  },
  ESCROW: {
    forJob: (jobId) =>
      `Sign \`typedData\` and send { authorization, signature } to POST /api/jobs/${jobId}/pay; the authorization is its \`message\`.`,
    forQuote:
      'Sign `typedData` and send the same body with { reservation, authorization, signature } to POST /api/jobs; the authorization is its `message`.',
  },
}
