import type { SandboxRole } from '@agent-marketplace/contract'
import { type Hex, hexToBytes } from 'viem'
import { createKeyAccount } from '../accounts/createKeyAccount.ts'
import { roleKeyOf, testKeyOf } from './roles.ts'

/** A wallet that a newcomer may use. The key opens nothing outside its devnet. */
export interface TestWallet {
  role: SandboxRole
  address: Hex
  privateKey: Hex
}

/** A buyer, a seller, an administrator, and as many owners of the arbiter Safe as a ruling needs. */
export function listTestWallets(seed: Hex): TestWallet[] {
  const keys: [SandboxRole, Hex][] = [
    ['buyer', testKeyOf(seed, 'buyer')],
    ['seller', testKeyOf(seed, 'seller')],
    ['admin', testKeyOf(seed, 'admin')],
    ['arbiter', roleKeyOf(seed, 'safeOwner1')],
    ['arbiter', roleKeyOf(seed, 'safeOwner2')],
  ]
  return keys.map(([role, privateKey]) => ({
    role,
    address: createKeyAccount(hexToBytes(privateKey)).address,
    privateKey,
  }))
}
