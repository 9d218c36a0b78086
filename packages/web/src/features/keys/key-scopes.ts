import type { ApiKeyScope } from '@agent-marketplace/contract'

/** What a key may do, as people choose it. */
export const keyChoices = {
  all: { words: 'read, hire, sell, and manage the account', scopes: ['read', 'write'] },
  market: { words: 'read, hire and sell', scopes: ['read', 'hire', 'sell'] },
  hire: { words: 'read and hire', scopes: ['read', 'hire'] },
  sell: { words: 'read and sell', scopes: ['read', 'sell'] },
  read: { words: 'read only', scopes: ['read'] },
} as const satisfies Record<string, { words: string; scopes: readonly ApiKeyScope[] }>

export type KeyChoice = keyof typeof keyChoices

export const maySpend = (choice: KeyChoice): boolean => choice !== 'sell' && choice !== 'read'

/** What a key may do that has these scopes. */
export function mayWords(scopes: readonly ApiKeyScope[]): string {
  const has = (wanted: readonly ApiKeyScope[]) =>
    wanted.length === scopes.length && wanted.every((scope) => scopes.includes(scope))
  const choice = Object.values(keyChoices).find((one) => has(one.scopes))
  return choice?.words ?? scopes.join(', ')
}
