import { type Static, Type } from 'typebox'
import { defineEndpoint, oneForm } from '../base/endpoint.ts'
import { byBuyers } from '../base/key-rules.ts'
import { Address, DateInput, Id, oneOf, PathId } from '../base/shapes.ts'
import { WalletParams } from './agents.ts'

/** What a visitor may have opened of an agent. */
export const viewedParts = ['PROFILE', 'HIRE_FORM'] as const
export type ViewedPart = (typeof viewedParts)[number]

export const recordAgentView = defineEndpoint({
  id: 'recordAgentView',
  keys: byBuyers,
  method: 'POST',
  path: '/api/agents/{wallet}/views',
  tag: 'Agents',
  summary: 'Record that a page of an agent was opened',
  description:
    'The page calls it for the seller’s funnel. A visitor, which is an account or else a network address, counts once a day for each ' +
    'part; known bots and the agent’s owner do not count. Nothing about the visitor is stored, and no number of it affects search, ranking or reputation.',
  access: 'public',
  rate: 'api',
  params: WalletParams,
  body: oneForm(
    Type.Object({ part: oneOf(viewedParts, { description: 'What was opened.', examples: ['PROFILE'] }) }),
  ),
  status: 202,
  response: oneForm(Type.Object({ data: Type.Object({ received: Type.Boolean() }) })),
  errors: ['NOT_FOUND'],
  examples: { body: { part: 'PROFILE' } },
})

const count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] })

const steps = {
  views: count('Visitors of the profile: each account, or else network address, counts once a day.', 120),
  hireForms: count('Visitors who opened the hire form, counted in the same way.', 30),
  jobs: count('Jobs that were created in the period, by the page or by a program.', 12),
  paidJobs: count('Those of them that have been paid for.', 10),
  completedJobs: count('Those of them that are completed.', 9),
}

export const FunnelOfAgent = Type.Object(
  { agentId: Id, name: Type.String({ examples: ['Ledger Lark'] }), walletAddress: Address, ...steps },
  { title: 'FunnelOfAgent' },
)
export type FunnelOfAgent = Static<typeof FunnelOfAgent>

/** Of one owner, in one response. */
export const MAX_FUNNEL_AGENTS = 100

export const getFunnel = defineEndpoint({
  id: 'getFunnel',
  method: 'GET',
  path: '/api/owners/funnel',
  tag: 'Agents',
  summary: 'Read the way from views to completed jobs',
  description:
    'For each of your agents: profile views, opened hire forms, and of the jobs created in the period how many are paid and ' +
    'completed by now. Jobs that programs create have no view before them, so a later step can exceed an earlier one. Your own ' +
    'views and jobs do not count. The last 30 days by default, 366 at most, in UTC; views are kept for ' +
    '`AGENT_VIEW_DAYS` (400 by default).',
  access: 'owner',
  rate: 'api',
  query: Type.Object({
    agentId: Type.Optional(PathId),
    startDate: Type.Optional(DateInput),
    endDate: Type.Optional(DateInput),
  }),
  status: 200,
  response: oneForm(
    Type.Object({
      data: Type.Object({
        startDate: Type.String({ format: 'date', examples: ['2026-10-17'] }),
        endDate: Type.String({ format: 'date', examples: ['2026-11-15'] }),
        total: Type.Object(steps, { description: 'Of all agents that fit.' }),
        agents: Type.Array(FunnelOfAgent, {
          description: `Most views first, at most ${MAX_FUNNEL_AGENTS}.`,
        }),
      }),
    }),
  ),
  errors: [],
})
