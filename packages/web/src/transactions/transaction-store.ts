import {
  advance,
  begin,
  type Evidence,
  isOpen,
  type NewTransaction,
  parseTransactions,
  type Transaction,
} from './story.ts'

export interface TransactionStore {
  list: () => Transaction[]
  subscribe: (onChange: () => void) => () => void
  track: (input: NewTransaction) => string
  learn: (id: string, evidence: Evidence) => void
  forget: (id: string) => void
}

interface TransactionStoreDeps {
  storage: Pick<Storage, 'getItem' | 'setItem'>
  address: string
  nowMs: () => number
  newId: () => string
}

/** Enough to look back on; older ones are in the jobs' timelines anyway. */
const KEPT = 30

export const transactionsKey = (address: string): string =>
  `marketplace.transactions.${address.toLowerCase()}`

/** The transactions of one wallet, newest first, kept over reloads. */
export function createTransactionStore(deps: TransactionStoreDeps): TransactionStore {
  const { storage, address, nowMs, newId } = deps
  const key = transactionsKey(address)
  const listeners = new Set<() => void>()
  let transactions = parseTransactions(storage.getItem(key))

  const set = (next: Transaction[]): void => {
    transactions = dropOldest(next)
    storage.setItem(key, JSON.stringify(transactions))
    for (const listener of listeners) listener()
  }

  return {
    list: () => transactions,
    subscribe: (onChange) => {
      listeners.add(onChange)
      return () => listeners.delete(onChange)
    },
    track: (input) => {
      const id = newId()
      set([begin(input, id, nowMs()), ...transactions])
      return id
    },
    learn: (id, evidence) => {
      const next = transactions.map((one) => (one.id === id ? advance(one, evidence, nowMs()) : one))
      if (next.some((one, index) => one !== transactions[index])) set(next)
    },
    forget: (id) => set(transactions.filter((one) => one.id !== id)),
  }
}

/** What is under way is never dropped. */
function dropOldest(transactions: Transaction[]): Transaction[] {
  return transactions.filter((one, index) => index < KEPT || isOpen(one))
}
