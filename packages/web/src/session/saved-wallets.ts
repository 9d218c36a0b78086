/** A test wallet that this browser has made. Its key is kept in plain sight, because it only ever holds test money. */
export interface SavedWallet {
  name: string
  address: string
  privateKey: string
}

const KEY = 'marketplace.test-wallets'
const MAX_NAME = 40

type Store = Pick<Storage, 'getItem' | 'setItem'>

/** The test wallets of this browser, in the order in which they were made. */
export function createSavedWallets(storage: () => Store) {
  const listeners = new Set<() => void>()
  let text: string | null | undefined
  let wallets: SavedWallet[] = []

  /** The same list until storage holds another: other tabs write to it too. */
  const list = (): SavedWallet[] => {
    const stored = storage().getItem(KEY)
    if (stored !== text) wallets = parseSavedWallets(stored)
    text = stored
    return wallets
  }
  const keep = (next: SavedWallet[]): void => {
    storage().setItem(KEY, JSON.stringify(next))
    for (const listener of listeners) listener()
  }
  return {
    list,
    subscribe: (onChange: () => void) => {
      listeners.add(onChange)
      return () => listeners.delete(onChange)
    },
    find: (address: string) => list().find((wallet) => wallet.address === address),
    add: (made: Omit<SavedWallet, 'name'>): SavedWallet => {
      const wallet = { ...made, name: nextName(list()) }
      keep([...list(), wallet])
      return wallet
    },
    rename: (address: string, name: string): void =>
      keep(
        list().map((wallet) =>
          wallet.address === address ? { ...wallet, name: name.trim().slice(0, MAX_NAME) } : wallet,
        ),
      ),
  }
}

function nextName(taken: readonly SavedWallet[]): string {
  const names = new Set(taken.map(({ name }) => name))
  for (let count = 1; ; count += 1) if (!names.has(`Wallet ${count}`)) return `Wallet ${count}`
}

/** Storage can hold anything: only whole wallets are taken. */
function parseSavedWallets(text: string | null): SavedWallet[] {
  try {
    const stored: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(stored) ? stored.filter(isSavedWallet) : []
  } catch {
    return []
  }
}

function isSavedWallet(value: unknown): value is SavedWallet {
  const { name, address, privateKey } = Object(value) as Record<string, unknown>
  return typeof name === 'string' && typeof address === 'string' && typeof privateKey === 'string'
}

export const savedWallets = createSavedWallets(() => localStorage)
