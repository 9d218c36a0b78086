import type { SubscriptionPlan } from '@agent-marketplace/contract'

/** The four steps of every transaction, and the one way out of them. */
export const txStates = ['signed', 'sent', 'confirmed', 'final', 'failed'] as const
export type TxState = (typeof txStates)[number]

/** What moves on chain. The first seven belong to a job. */
export const txKinds = [
  'payment',
  'delivery',
  'changes',
  'release',
  'refund',
  'dispute',
  'settlement',
  'ruling',
  'withdrawal',
  'subscription',
  'fee',
  'faucet',
] as const
export type TxKind = (typeof txKinds)[number]

/** A spend permission that was signed for a plan. Its hash is what the chain knows it by. */
export interface SignedPermission {
  plan: SubscriptionPlan
  hash: string
  /** The chain's height when it was signed, in hex: before it nothing can have come of it. */
  fromBlock: string
}

export interface Transaction {
  id: string
  kind: TxKind
  /** What the user reads: "Pay 150.00 USDC into escrow". */
  label: string
  state: TxState
  jobId?: string | undefined
  /** The withdrawal that it carries out. */
  withdrawalId?: string | undefined
  /** The permission that it is pulled through. */
  permission?: SignedPermission | undefined
  txHash?: string | undefined
  /** How many events the job's timeline had when it began. Only later ones belong to it. */
  seenEvents?: number | undefined
  /** When each step was first seen, in milliseconds of this machine. */
  seenAtMs: Partial<Record<TxState, number>>
  /** Why it failed, in words. */
  failure?: string | undefined
}

/** What was learned about a transaction by looking. */
export interface Evidence {
  state: TxState
  txHash?: string | undefined
  failure?: string | undefined
}

const rank: Record<TxState, number> = { signed: 0, sent: 1, confirmed: 2, final: 3, failed: 4 }

export const isOpen = ({ state }: Pick<Transaction, 'state'>): boolean =>
  state !== 'final' && state !== 'failed'

/** How long a story that ended well stays in sight. */
const AFTERGLOW_MS = 60_000

/** Whether a page still shows it: what is under way, what failed, and what has just ended well. */
export function isWorthTelling({ state, seenAtMs }: Transaction, nowMs: number): boolean {
  return state !== 'final' || nowMs - (seenAtMs.final ?? 0) < AFTERGLOW_MS
}

/** A story only goes forward: late news of an earlier step change nothing, and an end is an end. */
export function advance(transaction: Transaction, evidence: Evidence, nowMs: number): Transaction {
  const txHash = evidence.txHash ?? transaction.txHash
  const goesForward = isOpen(transaction) && rank[evidence.state] > rank[transaction.state]
  if (!goesForward) return txHash === transaction.txHash ? transaction : { ...transaction, txHash }
  return {
    ...transaction,
    txHash,
    state: evidence.state,
    failure: evidence.failure,
    seenAtMs: { ...transaction.seenAtMs, [evidence.state]: nowMs },
  }
}

export type NewTransaction = Pick<
  Transaction,
  'kind' | 'label' | 'jobId' | 'withdrawalId' | 'permission' | 'txHash' | 'seenEvents'
>

export function begin(input: NewTransaction, id: string, nowMs: number): Transaction {
  const state = input.txHash === undefined ? 'signed' : 'sent'
  return { ...input, id, state, seenAtMs: { signed: nowMs, [state]: nowMs } }
}

/** Storage can hold anything; what is not a list of transactions is as good as none. */
export function parseTransactions(text: string | null): Transaction[] {
  try {
    const list: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(list) ? list.filter(isTransaction) : []
  } catch {
    return []
  }
}

function isTransaction(value: unknown): value is Transaction {
  const { id, kind, label, state, seenAtMs } = Object(value) as Record<string, unknown>
  const areKnown = txKinds.some((known) => known === kind) && txStates.some((known) => known === state)
  const areTexts = typeof id === 'string' && typeof label === 'string'
  return areKnown && areTexts && typeof seenAtMs === 'object' && seenAtMs !== null
}
