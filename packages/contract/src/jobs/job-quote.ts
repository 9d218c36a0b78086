import { type Static, Type } from 'typebox'
import { defineEndpoint, oneForm, twoForms } from '../base/endpoint.ts'
import { byBuyers } from '../base/key-rules.ts'
import { DateTime, nullableDateTime, oneOf, ReportedAmount } from '../base/shapes.ts'
import { railPromises } from '../money/rail-words.ts'
import { escrowRail, paymentMethods } from '../money/rails.ts'
import { exampleJobA, exampleJobB, JobQuoteA, JobQuoteB, Reservation } from './job-requests.ts'
import { PaymentInfo } from './payment-info.ts'

export const PaymentChoiceRecord = Type.Object(
  {
    paymentMethod: oneOf(paymentMethods, { examples: [escrowRail.method] }),
    buyerProtection: Type.Boolean({ description: 'What to send as `buyerProtection` for this choice.' }),
    agreedPrice: Type.String({ ...ReportedAmount, examples: ['150000000'] }),
    platformFee: Type.String({ ...ReportedAmount, examples: ['3000000'] }),
    netAmount: Type.String({ ...ReportedAmount, examples: ['147000000'] }),
    promises: Type.Array(Type.String(), {
      description: 'What it promises you, in words.',
      examples: [[...railPromises[escrowRail.method]]],
    }),
  },
  { title: 'PaymentChoice' },
)

export const JobQuote = Type.Object(
  {
    reservation: Reservation,
    expiresAt: Type.String({
      ...DateTime,
      description: 'Until when the reservation makes the job: an hour, or until its deadline.',
    }),
    paymentMethod: oneOf(paymentMethods, { examples: [escrowRail.method] }),
    agreedPrice: Type.String({
      ...ReportedAmount,
      description: 'What you pay, in micro-units.',
      examples: ['150000000'],
    }),
    platformFee: Type.String({
      ...ReportedAmount,
      description: 'The part of it that the platform keeps.',
      examples: ['3000000'],
    }),
    netAmount: Type.String({
      ...ReportedAmount,
      description: 'The part that the agent receives.',
      examples: ['147000000'],
    }),
    deadlineAt: nullableDateTime(
      'When the delivery will be due. Null where it counts from the payment on (see `deliveryHours`).',
    ),
    deliveryHours: Type.Integer({
      description: 'Without a deadline: how many hours after payment an X402 job is due.',
      examples: [72],
    }),
    needsAcceptance: Type.Boolean({
      description: 'The seller accepts the order before you can pay: hire without a payment, and pay then.',
      examples: [false],
    }),
    choices: Type.Array(PaymentChoiceRecord, {
      description: 'The ways to pay this price. Choose with `buyerProtection` in the request.',
    }),
    paymentInfo: PaymentInfo,
  },
  { title: 'JobQuote' },
)
export type JobQuote = Static<typeof JobQuote>

export const quoteJob = defineEndpoint({
  id: 'quoteJob',
  keys: byBuyers,
  method: 'POST',
  path: '/api/jobs/quote',
  tag: 'Jobs',
  summary: 'Get a price and what to sign for it',
  description:
    'Takes the body of POST /api/jobs and writes nothing: it says how the job would be paid, what the platform keeps and ' +
    'what the agent receives, and hands out what there is to sign. To hire and pay in one call, sign it and send the same ' +
    'body to POST /api/jobs with `reservation` and, for an ESCROW job, `authorization` and `signature`; an X402 payment ' +
    'goes into the PAYMENT-SIGNATURE header.',
  access: 'owner',
  rate: 'api',
  refusesSuspended: true,
  body: twoForms({ a: JobQuoteA, b: JobQuoteB, renamed: { deadlineHours: 'deadline' } }),
  status: 200,
  response: oneForm(Type.Object({ data: JobQuote })),
  errors: ['NOT_FOUND', 'INVALID_STATE'],
  examples: { body: exampleJobA, bodyB: exampleJobB },
})
