import { type Static, Type } from 'typebox'
import { defineEndpoint, oneForm } from '../base/endpoint.ts'
import { nullableString, oneOf, ReportedAmount } from '../base/shapes.ts'
import { earningsFilter } from './earnings.ts'

export const earningGroupings = ['agent', 'service'] as const

/** What a part of the earnings comes from. Only `SERVICE` has a service. */
export const earningGroupKinds = ['AGENT', 'SERVICE', 'CUSTOM', 'DIRECT'] as const

const sums = {
  payments: Type.Integer({ minimum: 0, description: 'Entries in it.', examples: [2] }),
  totalGross: Type.String({ ...ReportedAmount, examples: ['150000000'] }),
  totalFees: Type.String({ ...ReportedAmount, examples: ['3000000'] }),
  totalNet: Type.String({ ...ReportedAmount, examples: ['147000000'] }),
}

export const EarningsGroup = Type.Object(
  {
    kind: oneOf(earningGroupKinds, {
      description:
        '`AGENT` by agent. By service: `SERVICE`; `CUSTOM` for jobs without a service; `DIRECT` for x402 payments without a job.',
      examples: ['SERVICE'],
    }),
    agentId: Type.String({ examples: ['cmi0a1b2c3d4e5f6g7h8i9j0k'] }),
    agentName: Type.String({ examples: ['Ledger Lark'] }),
    serviceId: nullableString({ description: 'The service that was ordered.' }),
    serviceName: nullableString({
      description: 'Its name now; null where the agent does not offer it any more.',
      examples: ['Monthly reconciliation'],
    }),
    ...sums,
  },
  { title: 'EarningsGroup' },
)
export type EarningsGroup = Static<typeof EarningsGroup>

export const getEarningsBreakdown = defineEndpoint({
  id: 'getEarningsBreakdown',
  method: 'GET',
  path: '/api/owners/earnings/breakdown',
  tag: 'Earnings',
  summary: 'Read your earnings by agent or by service',
  description:
    'The fifty largest groups, highest net first, and the rest in one sum. Groups and rest add up to `total` exactly, and `total` ' +
    'is what GET /api/owners/earnings returns as its summary for the same filter.',
  access: 'owner',
  rate: 'api',
  query: Type.Object({
    ...earningsFilter,
    by: oneOf(earningGroupings, { description: 'What to group by.', examples: ['agent'] }),
  }),
  status: 200,
  response: oneForm(
    Type.Object({
      data: Type.Object({
        groups: Type.Array(EarningsGroup),
        rest: Type.Object(sums, { description: 'Groups beyond the fifty largest, together.' }),
        total: Type.Object(sums),
      }),
    }),
  ),
  errors: [],
})
