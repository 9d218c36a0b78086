import type { BudgetCaps } from '@agent-marketplace/contract'
import type { Queryable } from '../platform/db/queryable.ts'
import type { Transaction } from '../platform/db/transaction.ts'

/** What a credential may spend, as its owner chose it. What is left out is not limited. */
export interface WantedBudget {
  budget?: BudgetCaps | undefined
  allowedAgents?: readonly string[] | undefined
  allowedCategories?: readonly string[] | undefined
}

/** A job that is hired or paid for with a credential that has a budget. */
export interface Spend {
  budgetId: string
  jobId: string
  agentId: string
  amountMicro: bigint
  /** The escrow held its deposit before the job was there. */
  wasPaidBefore?: boolean
}

/** The budgets of a few hires, read and locked until their transaction ends. */
export interface Purse {
  /** Throws where the spend is beyond its budget, or its agent not among those that may be hired. */
  check(spend: Spend): void
  /** Counts it, for those that are checked after it. It is stored by `store`. */
  take(spend: Spend): void
  /** Once the jobs are stored, in the same transaction. */
  store(): Promise<void>
}

/** What keeps spending within budgets. A job counts once, to the credential that hired it or last paid for it. */
export interface Budgets {
  /** For hires: the budgets that they are taken from, with the agents. */
  open(tx: Transaction, wishes: readonly Pick<Spend, 'budgetId' | 'agentId'>[]): Promise<Purse>
  /** For a payment, in the transaction that takes it. A job that counts to this budget today is not counted again. */
  takePayment(tx: Transaction, spend: Spend): Promise<void>
  /** Throws what `takePayment` would, and counts nothing. */
  checkPayment(db: Queryable, spend: Spend): Promise<void>
  /** Throws unless the job counts to this budget. */
  requireOwn(db: Queryable, counted: Pick<Spend, 'budgetId' | 'jobId'>): Promise<void>
}
