import { deriveRoles, testWalletOf } from '@agent-marketplace/chain/devnet'
import type { Cast } from './play.ts'

/**
 * The first buyer and the first seller are the sandbox's test wallets, so that a newcomer finds work and money there; so is
 * the administrator.
 */
export function castOf(chainSeed: string, counts: { sellers: number; buyers: number }): Cast {
  const walletsOf = (role: 'buyer' | 'seller', count: number) =>
    Array.from({ length: count }, (_, index) =>
      testWalletOf(`0x${chainSeed}`, index === 0 ? role : `${role} ${index}`),
    )
  const { safeOwner1, safeOwner2 } = deriveRoles(`0x${chainSeed}`)
  return {
    sellers: walletsOf('seller', counts.sellers),
    buyers: walletsOf('buyer', counts.buyers),
    admin: testWalletOf(`0x${chainSeed}`, 'admin'),
    arbiters: [safeOwner1, safeOwner2],
  }
}
