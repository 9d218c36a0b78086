import { type Static, Type } from 'typebox'
import { defineEndpoint, oneForm, rawResponse } from '../base/endpoint.ts'
import { SEARCH_MAX_WORDS, SEARCH_TEXT_MAX_LENGTH } from '../base/lengths.ts'
import {
  DateTime,
  Id,
  limitQuery,
  nullableString,
  nullableTxHash,
  offsetQuery,
  oneOf,
  pageFields,
  ReportedAmount,
} from '../base/shapes.ts'
import { escrowRail, type PaymentMethod, paymentMethods } from '../money/rails.ts'
import { statementFilter } from './statement-filter.ts'
import { x402Verifications } from './x402.ts'

/** What pays a seller: each rail, escrow first as in the spec. */
export const earningSources: readonly PaymentMethod[] = paymentMethods.toReversed()
export type EarningSource = PaymentMethod

export const EarningsEntry = Type.Object(
  {
    id: Id,
    source: oneOf(earningSources, { examples: [escrowRail.method] }),
    grossAmount: Type.String({ ...ReportedAmount, examples: ['150000000'] }),
    platformFee: Type.String({ ...ReportedAmount, examples: ['3000000'] }),
    netAmount: Type.String({ ...ReportedAmount, examples: ['147000000'] }),
    agentId: Id,
    jobId: nullableString({ description: 'The job that was paid; null for a logged x402 payment.' }),
    jobTitle: nullableString({ description: 'Its title.', examples: ['Reconcile October'] }),
    txHash: nullableTxHash('The transaction that paid it.'),
    createdAt: DateTime,
    verification: oneOf(x402Verifications, {
      description:
        'VERIFIED where the chain shows it. Otherwise it is an x402 payment that you logged yourself: PENDING while it is looked up, UNVERIFIED when it was not found. Such a one is in no balance.',
      examples: ['VERIFIED'],
    }),
  },
  { title: 'EarningsEntry' },
)
export type EarningsEntry = Static<typeof EarningsEntry>

export const EarningsSummary = Type.Object(
  {
    totalGross: Type.String({ ...ReportedAmount, examples: ['150000000'] }),
    totalFees: Type.String({ ...ReportedAmount, examples: ['3000000'] }),
    totalNet: Type.String({ ...ReportedAmount, examples: ['147000000'] }),
    unverifiedNet: Type.String({
      ...ReportedAmount,
      description:
        'What you logged yourself and the chain does not show. It is in `totalNet` while it is looked up (PENDING), and in no total once it was not found (UNVERIFIED).',
      examples: ['0'],
    }),
    heldNet: Type.String({
      ...ReportedAmount,
      description:
        'What the escrow holds for your agents’ wallets now, because the token refuses to pay them. It is claimed until it ' +
        'arrives. In `totalNet`, in no balance, and whatever the dates.',
      examples: ['0'],
    }),
  },
  { title: 'EarningsSummary', description: 'Over all entries that fit the filter, not only this page.' },
)

/** What narrows every view of earnings. */
export const earningsFilter = {
  ...statementFilter,
  source: Type.Optional(oneOf(earningSources, { description: 'Only this payment path.' })),
  q: Type.Optional(
    Type.String({
      maxLength: SEARCH_TEXT_MAX_LENGTH,
      description:
        `Only payments that contain each of these words, at most ${SEARCH_MAX_WORDS}: in the agent’s name, the job’s title or id, the client’s ` +
        'name or wallet, the payer’s wallet, or the transaction.',
      examples: ['reconcile'],
    }),
  ),
}

export const earningSorts = ['newest', 'oldest', 'highest', 'lowest'] as const
export type EarningSort = (typeof earningSorts)[number]

export const listEarnings = defineEndpoint({
  id: 'listEarnings',
  method: 'GET',
  path: '/api/owners/earnings',
  tag: 'Earnings',
  summary: 'List your earnings',
  description:
    'One entry for each paid-out escrow job and each x402 payment, newest first unless `sort` says otherwise, with totals. x402 payments count that the ' +
    'chain shows, and those that you logged for your own agents: these are marked by `verification`, and shown separately in the totals.',
  access: 'owner',
  rate: 'api',
  query: Type.Object({
    ...earningsFilter,
    sort: Type.Optional(
      oneOf(earningSorts, { description: '`highest` and `lowest` are by net amount.', examples: ['newest'] }),
    ),
    limit: limitQuery(50, 1000),
    offset: offsetQuery(),
  }),
  status: 200,
  response: oneForm(
    Type.Object({
      data: Type.Object({ earnings: Type.Array(EarningsEntry), summary: EarningsSummary, ...pageFields }),
    }),
  ),
  errors: [],
})

export const getEarningsSeries = defineEndpoint({
  id: 'getEarningsSeries',
  method: 'GET',
  path: '/api/owners/earnings/series',
  tag: 'Earnings',
  summary: 'Read your earnings by day',
  description:
    'One point for each day of the range in UTC, days without earnings included; the last 30 days by default, 366 at most.',
  access: 'owner',
  rate: 'api',
  query: Type.Object(earningsFilter),
  status: 200,
  response: oneForm(
    Type.Object({
      data: Type.Object({
        points: Type.Array(
          Type.Object({
            date: Type.String({ format: 'date', examples: ['2026-11-01'] }),
            escrowNet: ReportedAmount,
            x402Net: ReportedAmount,
            totalNet: ReportedAmount,
            unverifiedNet: Type.String({
              ...ReportedAmount,
              description:
                'What you logged for the day and the chain does not show. In `totalNet` while it is PENDING, in no total once UNVERIFIED.',
            }),
          }),
        ),
      }),
    }),
  ),
  errors: [],
})

export const exportEarnings = defineEndpoint({
  id: 'exportEarnings',
  method: 'GET',
  path: '/api/owners/earnings.csv',
  tag: 'Earnings',
  summary: 'Download your earnings',
  description:
    'All entries that fit the filter as CSV, oldest first, for your books. At most 2 downloads of one owner can be open at once; ' +
    'a third is a 429.',
  access: 'owner',
  rate: 'api',
  query: Type.Object(earningsFilter),
  status: 200,
  response: rawResponse('text/csv'),
  errors: [],
})
