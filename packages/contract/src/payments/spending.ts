import { type Static, Type } from 'typebox'
import { defineEndpoint, oneForm, rawResponse } from '../base/endpoint.ts'
import {
  Address,
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
import { statementFilter } from './statement-filter.ts'

export const spendingKinds = ['JOB', 'SUBSCRIPTION', 'VERIFICATION'] as const
export type SpendingKind = (typeof spendingKinds)[number]

const AgentOfSpending = Type.Object({
  id: Id,
  name: Type.String({ examples: ['Ledger Lark'] }),
  walletAddress: Address,
})

export const SpendingEntry = Type.Object(
  {
    id: Id,
    kind: oneOf(spendingKinds, {
      description:
        'JOB: a payment for a job, or its refund. SUBSCRIPTION: a period of a plan. VERIFICATION: the one-time fee.',
      examples: ['JOB'],
    }),
    paid: ReportedAmount,
    refunded: Type.String({ ...ReportedAmount, description: 'The amount refunded.', examples: ['0'] }),
    jobId: nullableString({ description: 'The job; null for everything else. It has a receipt.' }),
    jobTitle: nullableString({ examples: ['Reconcile September'] }),
    agent: Type.Union([AgentOfSpending, Type.Null()], { description: 'Who was hired; null without a job.' }),
    txHash: nullableTxHash('The transaction that moved it.'),
    createdAt: DateTime,
  },
  { title: 'SpendingEntry' },
)
export type SpendingEntry = Static<typeof SpendingEntry>

const sums = {
  paid: ReportedAmount,
  refunded: ReportedAmount,
  cost: Type.String({
    pattern: '^-?[0-9]+$',
    description: '`paid - refunded`; negative if refunds in the period exceed payments.',
    examples: ['25000000'],
  }),
}

export const SpendingSummary = Type.Object(
  {
    ...sums,
    byKind: Type.Object({
      JOB: Type.Object(sums),
      SUBSCRIPTION: Type.Object(sums),
      VERIFICATION: Type.Object(sums),
    }),
    byMonth: Type.Array(
      Type.Object({ month: Type.String({ pattern: '^[0-9]{4}-[0-9]{2}$', examples: ['2026-11'] }), ...sums }),
      { description: 'In UTC, the newest first, months without anything left out.' },
    ),
    byAgent: Type.Array(
      Type.Object({
        agent: AgentOfSpending,
        jobs: Type.Integer({ minimum: 0, description: 'Jobs with a movement in these days.', examples: [2] }),
        ...sums,
      }),
      { description: 'The fifty most expensive, highest cost first.' },
    ),
  },
  { title: 'SpendingSummary', description: 'Over all entries that fit the filter, not only this page.' },
)
export type SpendingSummary = Static<typeof SpendingSummary>

const filter = {
  kind: Type.Optional(oneOf(spendingKinds, { description: 'Only these.' })),
  ...statementFilter,
}

export const listSpending = defineEndpoint({
  id: 'listSpending',
  method: 'GET',
  path: '/api/owners/spending',
  tag: 'Earnings',
  summary: 'List what you spent',
  description:
    'One entry for each payment and each refund of a job, each period of a plan and the verification fee, as the chain shows them: ' +
    'newest first, with totals by kind, by month and by agent.',
  access: 'owner',
  rate: 'api',
  query: Type.Object({ ...filter, limit: limitQuery(50, 1000), offset: offsetQuery() }),
  status: 200,
  response: oneForm(
    Type.Object({
      data: Type.Object({ spending: Type.Array(SpendingEntry), summary: SpendingSummary, ...pageFields }),
    }),
  ),
  errors: [],
})

export const exportSpending = defineEndpoint({
  id: 'exportSpending',
  method: 'GET',
  path: '/api/owners/spending.csv',
  tag: 'Earnings',
  summary: 'Download what you spent',
  description:
    'All entries that fit the filter as CSV, oldest first, for your books. At most 2 downloads of one owner can be open at once; ' +
    'a third is a 429.',
  access: 'owner',
  rate: 'api',
  query: Type.Object(filter),
  status: 200,
  response: rawResponse('text/csv'),
  errors: [],
})
