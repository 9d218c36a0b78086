import type { AgentChoice } from '../../data/agents/agent-choices.ts'

export const caps = [
  ['perJob', 'At most for one job'],
  ['perDay', 'At most in a day'],
  ['perMonth', 'At most in a month'],
  ['total', 'At most in all'],
] as const

type Cap = (typeof caps)[number][0]

/** When a credential ends, as people choose it: in so many days, or never. */
const terms = {
  day: { days: '1', words: 'after a day' },
  week: { days: '7', words: 'after 7 days' },
  month: { days: '30', words: 'after 30 days' },
  quarter: { days: '90', words: 'after 90 days' },
  year: { days: '365', words: 'after a year' },
  never: { days: '', words: 'never, until you revoke it' },
} as const

export const keyTerms = [terms.month, terms.quarter, terms.year, terms.never]
export const grantTerms = [terms.day, terms.week, terms.month, terms.quarter, terms.year]
export type Term = (typeof terms)[keyof typeof terms]

/** What an owner chooses for an API key and for a connected app alike. */
export interface CredentialForm extends Partial<Record<Cap, bigint>> {
  agents: AgentChoice[]
  categories: string
  expiresInDays: Term['days']
}

/** As the service takes it. What is left empty is not limited. */
export const wantedOf = ({ expiresInDays, ...budget }: CredentialForm, maySpend: boolean) => ({
  ...(expiresInDays && { expiresInDays: Number(expiresInDays) }),
  ...(maySpend && budgetOf(budget)),
})

function budgetOf({ agents, categories, ...form }: Omit<CredentialForm, 'expiresInDays'>) {
  const given = caps.flatMap(([cap]) => (form[cap] ? [[cap, form[cap].toString()]] : []))
  const named = categories.split(',').map((category) => category.trim())
  return {
    budget: Object.fromEntries(given),
    allowedAgents: agents.map(({ id }) => id),
    allowedCategories: named.filter((category) => category !== ''),
  }
}
