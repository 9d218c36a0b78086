/** A wallet that a passkey owns. The key never leaves the device; this is what is needed to ask it to sign. */
export interface SavedPasskey {
  name: string
  address: string
  credentialId: string
  publicKey: string
}

const KEY = 'marketplace.passkeys'

type Store = Pick<Storage, 'getItem' | 'setItem'>

/** The passkey wallets that were made in this browser, in their order. */
export function createSavedPasskeys(storage: () => Store) {
  const list = (): SavedPasskey[] => parse(storage().getItem(KEY))
  return {
    list,
    nextName: (): string => {
      const names = new Set(list().map(({ name }) => name))
      for (let count = 1; ; count += 1) if (!names.has(`Passkey ${count}`)) return `Passkey ${count}`
    },
    find: (address: string) =>
      list().find((passkey) => passkey.address.toLowerCase() === address.toLowerCase()),
    add: (passkey: SavedPasskey): void => storage().setItem(KEY, JSON.stringify([...list(), passkey])),
  }
}

/** Storage can hold anything: only whole entries are taken. */
function parse(text: string | null): SavedPasskey[] {
  try {
    const stored: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(stored) ? stored.filter(isSavedPasskey) : []
  } catch {
    return []
  }
}

function isSavedPasskey(value: unknown): value is SavedPasskey {
  const { name, address, credentialId, publicKey } = Object(value) as Record<string, unknown>
  return [name, address, credentialId, publicKey].every((part) => typeof part === 'string')
}

export const savedPasskeys = createSavedPasskeys(() => localStorage)
