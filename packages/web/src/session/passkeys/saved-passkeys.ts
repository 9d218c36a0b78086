/** A wallet that a passkey owns. The key never leaves the device; this is what is needed to ask it to sign. */
export interface SavedPasskey {
  name: string
  address: string
  credentialId: string
  publicKey: string
}

/** A passkey whose wallet is not known yet. */
export type NewPasskey = Omit<SavedPasskey, 'address'>

const KEY = 'marketplace.passkeys'
const UNFINISHED_KEY = 'marketplace.passkey.unfinished'

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** The passkey wallets that were made in this browser, in their order. */
export function createSavedPasskeys(storage: () => Store) {
  const list = (): SavedPasskey[] => parse(storage().getItem(KEY), isSavedPasskey)
  return {
    list,
    nextName: (): string => {
      const names = new Set(list().map(({ name }) => name))
      for (let count = 1; ; count += 1) if (!names.has(`Passkey ${count}`)) return `Passkey ${count}`
    },
    find: (address: string) =>
      list().find((passkey) => passkey.address.toLowerCase() === address.toLowerCase()),
    add: (passkey: SavedPasskey): void => {
      storage().setItem(KEY, JSON.stringify([...list(), passkey]))
      storage().removeItem(UNFINISHED_KEY)
    },
    unfinished: (): NewPasskey | undefined => parse(storage().getItem(UNFINISHED_KEY), isNewPasskey)[0],
    keepUnfinished: (passkey: NewPasskey): void =>
      storage().setItem(UNFINISHED_KEY, JSON.stringify([passkey])),
  }
}

/** Storage can hold anything: only whole entries are taken. */
function parse<Entry>(text: string | null, isEntry: (value: unknown) => value is Entry): Entry[] {
  try {
    const stored: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(stored) ? stored.filter(isEntry) : []
  } catch {
    return []
  }
}

const isSavedPasskey = (value: unknown): value is SavedPasskey =>
  isNewPasskey(value) && typeof Object(value).address === 'string'

function isNewPasskey(value: unknown): value is NewPasskey {
  const { name, credentialId, publicKey } = Object(value) as Record<string, unknown>
  return [name, credentialId, publicKey].every((part) => typeof part === 'string')
}

export const savedPasskeys = createSavedPasskeys(() => localStorage)
