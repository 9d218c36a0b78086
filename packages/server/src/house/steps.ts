import type { Database } from '../platform/db/database.ts'
import type { Transaction } from '../platform/db/transaction.ts'
import { WithStatus } from '../platform/http/call.ts'

/**
 * A decision that needs the world outside the database. `prepare` runs before the transaction, since no network call
 * belongs in one; it refuses nothing that only the decision can judge, because a repeated call gets there too. `decide`
 * runs in the transaction, checks again what it relies on, and stores everything or nothing.
 */
export interface Steps<Prepared, Decided> {
  prepare(): Promise<Prepared>
  decide(tx: Transaction, prepared: Prepared): Promise<Decided>
}

/** A decision that is carried out on chain. */
export interface StepsToChain<Prepared, Decided, Concluded> extends Steps<Prepared, Decided> {
  /** Waits for the chain, for a while. Nothing is `decided` where the call is repeated: the first one did that. */
  conclude(prepared: Prepared, decided: Decided | undefined): Promise<Concluded>
}

/** DECIDED: stored, and nothing can overtake it. SETTLED: the chain has it. PENDING: nobody knows yet. */
export type Confirmation = 'DECIDED' | 'SETTLED' | 'PENDING'

/** What became of a decision, and how to read it as it is now. */
export interface Conclusion<Decided> {
  status: Confirmation
  read(): Promise<Decided>
}

type Response<Value> = Value | WithStatus<Value>

interface KeepingCall<Value> {
  transaction(work: (tx: Transaction) => Promise<Response<Value>>): Promise<Response<Value>>
}

/** Responds with the decision. What is kept under the Idempotency-Key is written in its transaction. */
export async function respondInSteps<Prepared, Decided, Value>(
  call: KeepingCall<Value>,
  steps: Steps<Prepared, Decided>,
  present: (decided: Decided, tx: Transaction) => Value | Promise<Value>,
): Promise<Response<Value>> {
  const prepared = await steps.prepare()
  return call.transaction(async (tx) => present(await steps.decide(tx, prepared), tx))
}

/**
 * Responds with what became of the decision on chain, with 202 while nobody knows. `isOutdated` says which kept responses
 * are replaced by what the chain has now, although nothing is pending any more.
 */
export async function respondFromChain<Prepared, Decided, Value>(
  call: KeepingCall<Value>,
  steps: StepsToChain<Prepared, Decided, Conclusion<Decided>>,
  present: (decided: Decided, tx?: Transaction) => Value | Promise<Value>,
  isOutdated: (kept: Value, decided: Decided | undefined) => boolean = () => false,
): Promise<Response<Value>> {
  const prepared = await steps.prepare()
  let decided: Decided | undefined
  const kept = await call.transaction(async (tx) => {
    decided = await steps.decide(tx, prepared)
    return present(decided, tx)
  })
  const { status, read } = await steps.conclude(prepared, decided)
  const value = kept instanceof WithStatus ? kept.value : kept
  if (status === 'DECIDED' && !isOutdated(value, decided)) return kept
  const now = await present(await read())
  return status === 'PENDING' ? new WithStatus(202, now) : now
}

/** All three steps, where no response is kept. */
export async function takeSteps<Prepared, Decided, Concluded>(
  db: Pick<Database, 'transaction'>,
  steps: Steps<Prepared, Decided> & {
    conclude(prepared: Prepared, decided: Decided): Promise<Concluded>
  },
): Promise<Concluded> {
  const prepared = await steps.prepare()
  const decided = await db.transaction((tx) => steps.decide(tx, prepared))
  return steps.conclude(prepared, decided)
}

/** Prepares for a feature that decides in a transaction of its own. */
export async function prepareSteps<Prepared, Decided>(
  steps: Steps<Prepared, Decided>,
): Promise<(tx: Transaction) => Promise<Decided>> {
  const prepared = await steps.prepare()
  return (tx) => steps.decide(tx, prepared)
}
