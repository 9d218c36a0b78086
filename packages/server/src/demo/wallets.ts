import { testKeyOf, testWalletOf } from '@agent-marketplace/chain/devnet'
import type { Cast } from './play.ts'

/** A wallet of the demo that a newcomer may use. The key opens nothing outside this sandbox. */
export interface DemoWallet {
  role: 'buyer' | 'seller'
  address: string
  privateKey: string
}

/** The first buyer and the first seller of the cast; the seller is verified and has an agent with work to do. */
export function demoWallets(chainSeed: string): DemoWallet[] {
  return (['buyer', 'seller'] as const).map((role) => ({
    role,
    address: testWalletOf(`0x${chainSeed}`, role).address,
    privateKey: testKeyOf(`0x${chainSeed}`, role),
  }))
}

export function castOf(chainSeed: string, counts: { sellers: number; buyers: number }): Cast {
  const walletsOf = (role: DemoWallet['role'], count: number) =>
    Array.from({ length: count }, (_, index) =>
      testWalletOf(`0x${chainSeed}`, index === 0 ? role : `${role} ${index}`),
    )
  return { sellers: walletsOf('seller', counts.sellers), buyers: walletsOf('buyer', counts.buyers) }
}
