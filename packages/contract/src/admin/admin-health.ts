import { type Static, Type } from 'typebox'
import { defineEndpoint, oneForm } from '../base/endpoint.ts'
import { nullableDateTime, nullableInteger, nullableString, ReportedAmount } from '../base/shapes.ts'
import { adminCall } from './admin-call.ts'

/** How the service itself does, and what was done in the marketplace. */

export const AdminHealth = Type.Object(
  {
    worker: Type.Object({
      deadLetters: Type.Integer({
        minimum: 0,
        description: 'Failed work and waits for a person.',
        examples: [0],
      }),
      waitingIntents: Type.Integer({
        minimum: 0,
        description: 'Decided, and not yet recorded on chain.',
        examples: [2],
      }),
    }),
    indexer: Type.Object({
      blockNumber: nullableInteger({ description: 'How far the chain was read.', examples: [1204] }),
      headNumber: nullableInteger({
        description: 'How far it goes; null when it does not respond.',
        examples: [1205],
      }),
      updatedAt: nullableDateTime('When it last moved.'),
      haltedReason: nullableString({ description: 'Why nothing is sent, if so.' }),
    }),
  },
  { title: 'AdminHealth' },
)
export type AdminHealth = Static<typeof AdminHealth>

export const getAdminHealth = defineEndpoint({
  ...adminCall,
  id: 'getAdminHealth',
  method: 'GET',
  path: '/api/admin/health',
  summary: 'See how the worker and the indexer are doing',
  description: 'What waits, what was given up, and how far the chain was read.',
  status: 200,
  response: oneForm(Type.Object({ data: AdminHealth })),
  errors: [],
})

const Count = (description: string) => Type.Integer({ minimum: 0, description, examples: [12] })

export const ActivityDay = Type.Object(
  {
    date: Type.String({
      pattern: '^\\d{4}-\\d{2}-\\d{2}$',
      description: 'A day in UTC.',
      examples: ['2026-11-15'],
    }),
    jobs: Count('Jobs that were paid.'),
    volume: Type.String({ ...ReportedAmount, description: 'What was paid for them, in USDC micro-units.' }),
    fees: Type.String({ ...ReportedAmount, description: 'Escrow fees that arrived, in USDC micro-units.' }),
    buyers: Count('Different buyers who paid.'),
    sellers: Count('Different sellers whose agents were paid.'),
  },
  { title: 'ActivityDay' },
)
export type ActivityDay = Static<typeof ActivityDay>

export const getActivity = defineEndpoint({
  ...adminCall,
  id: 'getActivity',
  method: 'GET',
  path: '/api/admin/activity',
  summary: 'See how the market is doing',
  description:
    'Volume, fees, buyers and sellers by day, the oldest first, today included. Days without anything are there too.',
  query: Type.Object({
    days: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 366, default: 30, description: 'How many days back.' }),
    ),
  }),
  status: 200,
  response: oneForm(Type.Object({ data: Type.Array(ActivityDay) })),
  errors: [],
})
