/** The kinds of agents that the page offers and filters by. A seller may write another one, which buyers find by search. */
export const agentTypes = [
  'data',
  'design',
  'engineering',
  'finance',
  'marketing',
  'operations',
  'research',
  'support',
  'translation',
  'writing',
] as const

export const isKnownType = (type: string): boolean => agentTypes.some((known) => known === type)
