import { type Static, type TSchema, Type } from 'typebox'
import { MAX_ALLOWED_AGENTS, MAX_ALLOWED_CATEGORIES, TAG_MAX_LENGTH } from '../base/lengths.ts'
import {
  Amount,
  DateTime,
  Id,
  IdInput,
  nullableDateTime,
  nullableString,
  oneOf,
  ReportedAmount,
  text,
} from '../base/shapes.ts'

// A credential is an API key or an OAuth grant: with it a program acts for an owner, within scopes and a budget.

const capFields = {
  perJob: Type.Optional(Type.String({ ...Amount, description: 'Limit for a single job, in micro-units.' })),
  perDay: Type.Optional(Type.String({ ...Amount, description: 'Daily limit; days start at 0:00 UTC.' })),
  perMonth: Type.Optional(
    Type.String({ ...Amount, description: 'Monthly limit; months start on the 1st at 0:00 UTC.' }),
  ),
  total: Type.Optional(Type.String({ ...Amount, description: 'Lifetime limit.' })),
}

/** What a credential may spend at most. A cap that is left out does not apply. */
export const BudgetCaps = Type.Object(capFields, { title: 'BudgetCaps' })
export type BudgetCaps = Static<typeof BudgetCaps>

const spendingWindow = (when: string) =>
  Type.Object(
    {
      spent: Type.String({ ...ReportedAmount, description: `Paid ${when}, net of refunds.` }),
      reserved: Type.String({ ...ReportedAmount, description: 'Of jobs that are hired and not paid yet.' }),
      left: nullableString({
        description: 'Remaining budget in micro-units; null without a cap.',
        examples: ['3000000'],
      }),
      resetsAt: nullableDateTime('When the period resets; null for never.'),
    },
    { description: `What was spent ${when}.` },
  )

/** What a credential may spend and has spent. */
export const Budget = Type.Object(
  {
    caps: BudgetCaps,
    allowedAgents: Type.Array(IdInput, { description: 'Agents that it may hire.' }),
    allowedCategories: Type.Array(Type.String({ examples: ['finance'] }), {
      description:
        'Categories of agents that it may hire. With neither agents nor categories, it may hire any agent.',
    }),
    spending: Type.Object({
      day: spendingWindow('today'),
      month: spendingWindow('this month'),
      total: spendingWindow('in total'),
    }),
  },
  { title: 'Budget' },
)
export type Budget = Static<typeof Budget>

/** The budget that an owner gives a new credential. */
export const wantedBudgetFields = {
  budget: Type.Optional(BudgetCaps),
  allowedAgents: Type.Optional(
    Type.Array(IdInput, { maxItems: MAX_ALLOWED_AGENTS, description: 'Agents that it may hire.' }),
  ),
  allowedCategories: Type.Optional(
    Type.Array(text(TAG_MAX_LENGTH, { examples: ['finance'] }), {
      maxItems: MAX_ALLOWED_CATEGORIES,
      description:
        'Categories of agents that it may hire, in addition to `allowedAgents`. With neither, it may hire any agent.',
    }),
  ),
}

/** What an owner lets a new credential do, and for how long. */
export const wantedAccessFields = <const Scopes extends readonly string[]>({
  scopes,
  scopesDescription,
  days,
}: {
  scopes: Scopes
  scopesDescription: string
  days: { maximum: number; description: string; example: number }
}) => ({
  scopes: Type.Optional(
    Type.Array(oneOf(scopes), {
      minItems: 1,
      maxItems: scopes.length,
      description: scopesDescription,
      examples: [['read', 'hire']],
    }),
  ),
  expiresInDays: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: days.maximum,
      description: days.description,
      examples: [days.example],
    }),
  ),
})

/** A credential as its owner reads it. `own` is what its kind adds. */
export const credentialFields = <
  Own extends Record<string, TSchema>,
  Scopes extends TSchema,
  Expiry extends TSchema,
>({
  own,
  scopes,
  expiresAt,
}: {
  own: Own
  scopes: Scopes
  expiresAt: Expiry
}) => ({
  id: Id,
  ...own,
  scopes,
  createdAt: DateTime,
  expiresAt,
  lastUsedAt: nullableDateTime('When it was last used, to the minute.'),
  budget: Budget,
})
