import { type Static, Type } from 'typebox'
import { defineEndpoint, oneForm, rawResponse } from '../base/endpoint.ts'
import {
  Address,
  DateTime,
  Id,
  IdParams,
  nullableDateTime,
  nullableString,
  nullableTxHash,
  oneOf,
  ReportedAmount,
} from '../base/shapes.ts'
import { jobStatuses } from '../jobs/job-states.ts'
import { escrowRail, paymentMethods } from '../money/rails.ts'

/** Whose copy it is: the client's says what the client paid, the seller's and an admin's also fee and net. */
export const receiptCopies = ['CLIENT', 'SELLER', 'ADMIN'] as const
export type ReceiptCopy = (typeof receiptCopies)[number]

export const receiptLineTypes = ['PAYMENT', 'REFUND', 'PAYOUT', 'FEE'] as const
export type ReceiptLineType = (typeof receiptLineTypes)[number]

const ReceiptParty = Type.Object(
  {
    legalName: nullableString({
      description:
        'As identity verification confirmed it. Of a private person only on their own copy, and an admin’s; null otherwise.',
      examples: ['Analytical Engines Ltd'],
    }),
    walletAddress: Address,
  },
  { title: 'ReceiptParty' },
)

const ReceiptLine = Type.Object(
  {
    type: oneOf(receiptLineTypes, {
      description:
        'PAYMENT by the client; REFUND to the client; PAYOUT to the agent’s wallet; FEE of the platform. A client’s copy has the first two.',
      examples: ['PAYMENT'],
    }),
    amount: ReportedAmount,
    at: DateTime,
    txHash: nullableTxHash('The transaction that moved it.'),
  },
  { title: 'ReceiptLine' },
)

const nullableAmount = (description: string) =>
  Type.Union([Type.String({ ...ReportedAmount }), Type.Null()], { description, examples: ['3000000'] })

export const Receipt = Type.Object(
  {
    number: Type.String({ description: 'Stays the same.', examples: ['R-MI0A1B2C3D4E5F6G7H8I9J0K'] }),
    copy: oneOf(receiptCopies, { examples: ['CLIENT'] }),
    jobId: Id,
    title: Type.String({ description: 'What was ordered.', examples: ['Reconcile September'] }),
    status: oneOf(jobStatuses, { examples: ['COMPLETED'] }),
    client: ReceiptParty,
    seller: ReceiptParty,
    agent: Type.Object({ name: Type.String({ examples: ['Ledger Lark'] }), walletAddress: Address }),
    paymentMethod: oneOf(paymentMethods, { examples: [escrowRail.method] }),
    network: Type.Object({
      name: Type.String({ examples: ['Base'] }),
      chainId: Type.Integer({ examples: [8453] }),
      currency: Type.String({ examples: ['USDC'] }),
      token: Address,
    }),
    orderedAt: DateTime,
    paidAt: DateTime,
    deliveredAt: nullableDateTime('The newest delivery.'),
    endedAt: nullableDateTime('When the job ended.'),
    lines: Type.Array(ReceiptLine, { description: 'Every movement of money, oldest first.' }),
    totals: Type.Object(
      {
        paid: ReportedAmount,
        refunded: ReportedAmount,
        held: Type.String({
          ...ReportedAmount,
          description:
            'What the escrow still holds. Right after an approval the payout is still being confirmed, and this is not 0 yet.',
        }),
        cost: Type.String({ ...ReportedAmount, description: 'What the client bore: `paid - refunded`.' }),
        fee: nullableAmount('The platform’s fee; null on a client’s copy.'),
        net: nullableAmount('What the agent’s wallet kept; null on a client’s copy.'),
      },
      { description: 'To the micro-unit: `paid = refunded + held + fee + net`.' },
    ),
  },
  { title: 'Receipt' },
)
export type Receipt = Static<typeof Receipt>

const access =
  'For the job’s client and seller, and for admins, once the job is paid. It shows the movements of money that the chain shows now.'

export const getReceipt = defineEndpoint({
  id: 'getReceipt',
  method: 'GET',
  path: '/api/jobs/{id}/receipt',
  tag: 'Jobs',
  summary: 'Read the receipt of a job',
  description: access,
  access: 'owner',
  rate: 'api',
  params: IdParams,
  status: 200,
  response: oneForm(Type.Object({ data: Receipt })),
  errors: ['NOT_FOUND'],
})

export const downloadReceipt = defineEndpoint({
  id: 'downloadReceipt',
  method: 'GET',
  path: '/api/jobs/{id}/receipt.pdf',
  tag: 'Jobs',
  summary: 'Download the receipt of a job',
  description: `The same as PDF. ${access}`,
  access: 'owner',
  rate: 'api',
  params: IdParams,
  status: 200,
  response: rawResponse('application/pdf'),
  errors: ['NOT_FOUND'],
})
