import { type Static, Type } from 'typebox'
import {
  Address,
  DateTime,
  IpfsUri,
  nullableDateTime,
  nullableString,
  nullableTxHash,
  oneOf,
  ReportedAmount,
} from '../base/shapes.ts'
import { JobFile } from './job-files.ts'

export const Delivery = Type.Object(
  {
    cid: Type.String({ examples: ['bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy'] }),
    content: nullableString({
      description: 'The content, when it was delivered through the service; with `output`, the same as text.',
    }),
    note: nullableString(),
    output: Type.Unknown({
      description: 'The result by the output schema, where it was delivered as `output`; null otherwise.',
      examples: [null],
    }),
    files: Type.Array(JobFile),
    version: Type.Integer({ minimum: 1, description: 'The first delivery of the job is 1.', examples: [1] }),
    changeRequest: nullableString({ description: 'What the client asked to change in it.' }),
    deliveredAt: DateTime,
  },
  { title: 'Delivery' },
)
export type Delivery = Static<typeof Delivery>

export const refundStatuses = ['PENDING', 'CONFIRMED'] as const

export const Refund = Type.Object(
  {
    status: oneOf(refundStatuses, {
      description: 'PENDING until the chain has it. One that fails leaves the job as it was.',
      examples: ['CONFIRMED'],
    }),
    amount: Type.String({ ...ReportedAmount, examples: ['150000000'] }),
    to: Type.String({ ...Address, description: 'The wallet that paid.' }),
    txHash: nullableTxHash('The transfer back.'),
    refundedAt: nullableDateTime('When the chain confirmed it.'),
  },
  {
    title: 'Refund',
    description: 'The seller’s refund of an X402 job, paid from the agent’s wallet.',
  },
)
export type Refund = Static<typeof Refund>

export const Dispute = Type.Object(
  {
    openedBy: oneOf(['CLIENT', 'SELLER']),
    reason: Type.String({ examples: ['Half of the transfers are missing.'] }),
    openedAt: DateTime,
    undecidedAt: Type.String({
      ...DateTime,
      description: 'Without a decision by then the client is refunded.',
    }),
    evidence: Type.Array(
      Type.Object({
        by: oneOf(['CLIENT', 'SELLER']),
        reason: Type.String({ examples: ['The list of what is missing.'] }),
        uris: Type.Array(IpfsUri),
        createdAt: DateTime,
      }),
    ),
    settlement: Type.Union(
      [
        Type.Object({
          proposedBy: oneOf(['CLIENT', 'SELLER']),
          sellerBps: Type.Integer({ minimum: 0, maximum: 10_000, examples: [5000] }),
          createdAt: DateTime,
        }),
        Type.Null(),
      ],
      { description: 'The current offer.' },
    ),
    sellerBps: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'What was decided: the seller’s share in hundredths of a percent.',
    }),
  },
  { title: 'Dispute' },
)
export type Dispute = Static<typeof Dispute>
