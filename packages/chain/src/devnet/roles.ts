import { concat, type Hex, hexToBytes, keccak256, stringToHex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { createKeyAccount } from '../accounts/createKeyAccount.ts'

export type RoleName =
  | 'operator'
  | 'treasury'
  | 'spender'
  | 'faucet'
  | 'safeOwner1'
  | 'safeOwner2'
  | 'safeOwner3'

/** The devnet's own keys. The seed is kept by the caller; nothing derived from it but addresses reaches the journal. */
export type DevnetRoles = Record<RoleName, PrivateKeyAccount>

export const roleKeyOf = (seed: Hex, role: RoleName): Hex =>
  keccak256(concat([seed, stringToHex(`devnet role ${role}`)]))

export const deriveRoles = (seed: Hex): DevnetRoles => {
  const roleOf = (role: RoleName): PrivateKeyAccount => accountOf(roleKeyOf(seed, role))
  return {
    operator: roleOf('operator'),
    treasury: roleOf('treasury'),
    spender: roleOf('spender'),
    faucet: roleOf('faucet'),
    safeOwner1: roleOf('safeOwner1'),
    safeOwner2: roleOf('safeOwner2'),
    safeOwner3: roleOf('safeOwner3'),
  }
}

/** Wallets for people who try the devnet out: their keys may be shown, and reveal nothing about the seed. */
export const testKeyOf = (seed: Hex, name: string): Hex =>
  keccak256(concat([seed, stringToHex(`devnet test wallet ${name}`)]))

export const testWalletOf = (seed: Hex, name: string): PrivateKeyAccount => accountOf(testKeyOf(seed, name))

const accountOf = (key: Hex): PrivateKeyAccount => createKeyAccount(hexToBytes(key))
