const changes = ['insert', 'update', 'delete']

/** Tables of which every change is noted for the audit. */
const noted = [
  'agent_spends',
  'agents',
  'budget_jobs',
  'budgets',
  'chain_events',
  'chain_transaction_hashes',
  'chain_transactions',
  'earning_days',
  'earning_entries',
  'earning_minutes',
  'held_payments',
  'intents',
  'job_events',
  'job_exclusions',
  'jobs',
  'reviews',
  'spend_permissions',
  'spending_days',
  'spending_entries',
  'spending_minutes',
  'subscription_pulls',
  'subscriptions',
  'watched_wallets',
  'withdrawals',
  'x402_transactions',
]
/** Insertions are not, or in another way. */
const notedLater = ['chain_blocks', 'journal_entries', 'journal_postings']

interface Trigger {
  table: string
  trigger: string
}

const notes = (table: string, event: string): Trigger => ({ table, trigger: `${table}_noted_${event}` })

/** The triggers without which the books or their audit would miss something. */
export const neededTriggers: readonly Trigger[] = [
  { table: 'journal_entries', trigger: 'journal_entries_append_only' },
  { table: 'journal_postings', trigger: 'journal_postings_append_only' },
  { table: 'journal_entries', trigger: 'journal_entries_balance' },
  { table: 'journal_postings', trigger: 'journal_postings_balance' },
  { table: 'journal_postings', trigger: 'journal_postings_unfolded' },
  { table: 'journal_postings', trigger: 'journal_postings_earned' },
  { table: 'journal_entries', trigger: 'journal_entries_spent' },
  ...changes.map((event) => ({ table: 'x402_transactions', trigger: `x402_transactions_earned_${event}` })),
  ...noted.flatMap((table) => changes.map((event) => notes(table, event))),
  ...notedLater.flatMap((table) => [notes(table, 'update'), notes(table, 'delete')]),
  notes('chain_cursors', 'change'),
]
