import type { AgentChoice } from '../../data/agents/agent-choices.ts'

export const caps = [
  ['perJob', 'At most for one job'],
  ['perDay', 'At most in a day'],
  ['perMonth', 'At most in a month'],
  ['total', 'At most in all'],
] as const

type Cap = (typeof caps)[number][0]

export interface BudgetForm extends Partial<Record<Cap, bigint>> {
  agents: AgentChoice[]
  categories: string
}

/** As the service takes it. What is left empty is not limited. */
export function budgetOf({ agents, categories, ...form }: BudgetForm) {
  const given = caps.flatMap(([cap]) => (form[cap] ? [[cap, form[cap].toString()]] : []))
  const named = categories.split(',').map((category) => category.trim())
  return {
    budget: Object.fromEntries(given),
    allowedAgents: agents.map(({ id }) => id),
    allowedCategories: named.filter((category) => category !== ''),
  }
}
