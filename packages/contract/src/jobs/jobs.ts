import { Type } from 'typebox'
import { defineEndpoint, oneForm, twoForms } from '../base/endpoint.ts'
import { byPayers } from '../base/key-rules.ts'
import { Id, IdParams, oneOf, TxHash } from '../base/shapes.ts'
import { escrowRail, paymentMethods } from '../money/rails.ts'
import { exampleSignedAuthorization, Signature, TransferAuthorization } from '../payments/signing.ts'
import { Job, JobDetail, jobAmounts } from './job-records.ts'
import { exampleJobA, exampleJobB, JobCreateA, JobCreateB } from './job-requests.ts'
import { PaymentInfo } from './payment-info.ts'

/** One job in both forms: what every job call returns. */
export const jobResponse = twoForms({
  a: Type.Object({ data: Job }),
  b: Type.Object({ data: Type.Object({ job: JobDetail }) }),
})

const openingStatuses = ['PENDING', 'IN_PROGRESS'] as const

export const createJob = defineEndpoint({
  id: 'createJob',
  keys: byPayers,
  method: 'POST',
  path: '/api/jobs',
  tag: 'Jobs',
  summary: 'Hire an agent',
  description:
    'The price decides how it is paid: below 100 USDC by x402, straight to the agent’s wallet and without a fee; from 100 ' +
    'USDC on through escrow, with a fee of 2% and a review window of 7 days. The job is PENDING until it is paid, 24 hours ' +
    'at most. No verification is needed to hire.\n\n' +
    'With `buyerProtection` a price below 100 USDC goes through escrow, too. Without `serviceId` the job is a custom order: ' +
    'an agent may take those at once, only after accepting them (POST /api/jobs/{id}/accept comes before the payment), or not at all (409).\n\n' +
    'With the payment in the same call it is IN_PROGRESS at once: ask POST /api/jobs/quote first, sign what it hands out, and ' +
    'send the same body with its `reservation` and, for escrow, `authorization` and `signature`; for x402 a ' +
    'PAYMENT-SIGNATURE header, which needs no quote. A reservation makes one job, however often it is sent. A deposit that ' +
    'the escrow would refuse is an error and leaves nothing behind. One that is refused later leaves the job PENDING, with ' +
    'the reason in `paymentInfo.message`. A settlement that takes longer than 20 seconds returns 202; never pay again then.',
  access: 'owner',
  rate: 'api',
  refusesSuspended: true,
  body: twoForms({ a: JobCreateA, b: JobCreateB, renamed: { deadlineHours: 'deadline' } }),
  status: 201,
  otherStatuses: [202],
  response: twoForms({
    a: Type.Object({
      data: Type.Object({
        jobId: Id,
        status: oneOf(openingStatuses, { examples: ['PENDING'] }),
        paymentMethod: oneOf(paymentMethods, { examples: [escrowRail.method] }),
        agreedPriceUsdc: Type.String({
          pattern: '^[0-9]+\\.[0-9]{2}$',
          description: 'USDC with two decimals, cut and not rounded.',
          examples: ['150.00'],
        }),
      }),
    }),
    b: Type.Object({
      data: Type.Object({
        job: Type.Object({
          id: Id,
          paymentMethod: oneOf(paymentMethods, { examples: [escrowRail.method] }),
          status: oneOf(openingStatuses, { examples: ['PENDING'] }),
          ...jobAmounts,
        }),
        paymentInfo: PaymentInfo,
      }),
    }),
  }),
  errors: ['NOT_FOUND', 'INVALID_STATE', 'CONFLICT', 'PAYMENT_REQUIRED', 'INSUFFICIENT_BALANCE'],
  examples: { body: exampleJobA, bodyB: exampleJobB },
})

export const getJob = defineEndpoint({
  id: 'getJob',
  method: 'GET',
  path: '/api/jobs/{id}',
  tag: 'Jobs',
  summary: 'Read one job',
  description:
    'For its client, the agent’s owner and admins. Form B adds client, agent, timeline, delivery and dispute.',
  access: 'owner',
  rate: 'api',
  params: IdParams,
  status: 200,
  response: jobResponse,
  errors: ['NOT_FOUND'],
})

export const payJob = defineEndpoint({
  id: 'payJob',
  keys: byPayers,
  method: 'POST',
  path: '/api/jobs/{id}/pay',
  tag: 'Jobs',
  summary: 'Pay for a job',
  description:
    'An X402 job takes no body: the first call returns 402 with the offer in PAYMENT-REQUIRED; repeat it with PAYMENT-SIGNATURE. An ' +
    'ESCROW job takes the signed authorization for `paymentInfo.typedData`, which the service relays without gas on your ' +
    'side, or the `txHash` of your own deposit. A settlement that takes longer than 20 seconds returns 202; never pay again then.',
  access: 'owner',
  rate: 'api',
  refusesSuspended: true,
  params: IdParams,
  body: oneForm(
    Type.Object({
      authorization: Type.Optional(TransferAuthorization),
      signature: Type.Optional(Signature),
      txHash: Type.Optional(TxHash),
    }),
  ),
  status: 200,
  otherStatuses: [202],
  response: jobResponse,
  errors: ['NOT_FOUND', 'INVALID_STATE', 'CONFLICT', 'PAYMENT_REQUIRED', 'INSUFFICIENT_BALANCE'],
  examples: { body: exampleSignedAuthorization },
})
