import type { AccountStatus, ApiKeyScope, Budget, KycStatus } from '@agent-marketplace/contract'
import type { Queryable } from '../../platform/db/queryable.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { WantedBudget } from '../budgets.ts'

/**
 * What API keys and OAuth grants share: with such a credential a program acts for an owner, within its scopes and its
 * budget, until it expires or is revoked.
 */
export interface CredentialRow<Scope extends ApiKeyScope = ApiKeyScope> {
  id: string
  ownerId: string
  scopes: Scope[]
  createdAt: Date
  /** Null where it never expires. */
  expiresAt: Date | null
  lastUsedAt: Date | null
}

/** A credential with its owner, as far as the pipeline must know them. */
export type Holder<Row extends CredentialRow> = Row & {
  kycStatus: KycStatus
  kycFeePaid: boolean
  accountStatus: AccountStatus
  isCapped: boolean
}

export type WithBudget<Row extends CredentialRow> = Row & { budget: Budget }

/** The budgets of credentials. Each has the id of its credential. */
export interface CredentialBudgets {
  create(tx: Transaction, budget: WantedBudget & { id: string; ownerId: string }): Promise<void>
  present(db: Queryable, ids: readonly string[]): Promise<Map<string, Budget>>
}

export async function withBudgets<Row extends CredentialRow>(
  db: Queryable,
  budgets: Pick<CredentialBudgets, 'present'>,
  rows: readonly Row[],
): Promise<WithBudget<Row>[]> {
  const found = await budgets.present(
    db,
    rows.map(({ id }) => id),
  )
  return rows.flatMap((row) => {
    const budget = found.get(row.id)
    return budget ? { ...row, budget } : []
  })
}

/** As its owner reads it; its kind adds what it has of its own, and when it expires. */
export function presentCredential<Scope extends ApiKeyScope>(row: WithBudget<CredentialRow<Scope>>) {
  return {
    id: row.id,
    scopes: row.scopes,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    budget: row.budget,
  }
}
