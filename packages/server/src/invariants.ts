import { budgetInvariants } from './features/budgets/invariants.ts'
import { earningsInvariants } from './features/earnings/invariants.ts'
import { heldPaymentsInvariants } from './features/held-payments/invariants.ts'
import { jobsInvariants } from './features/jobs/invariants.ts'
import { x402Invariants } from './features/reported-payments/invariants.ts'
import { reputationInvariants } from './features/reputation/invariants.ts'
import { spendingInvariants } from './features/spending/invariants.ts'
import { subscriptionInvariants } from './features/subscriptions/invariants.ts'
import { withdrawalInvariants } from './features/withdrawals/invariants.ts'
import { moneyInvariants } from './money/audit/invariants.ts'

/** Every rule of the books: what the scheduled audit checks, and what `npm run check:invariants` checks. */
export const allInvariants = [
  ...moneyInvariants,
  ...jobsInvariants,
  ...x402Invariants,
  ...withdrawalInvariants,
  ...subscriptionInvariants,
  ...heldPaymentsInvariants,
  ...reputationInvariants,
  ...budgetInvariants,
  ...earningsInvariants,
  ...spendingInvariants,
]
