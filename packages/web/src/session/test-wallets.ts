import type { MarketplaceClient, Signer } from '@agent-marketplace/sdk'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { TestRole, Wallet } from './wallet.ts'
import { WalletError } from './wallet-error.ts'

/** Keys of throwaway wallets end with their tab. They only ever hold test money. */
const TAB_KEYS = 'marketplace.tab-wallet.'

export async function findTestWallet(reader: MarketplaceClient, role: TestRole): Promise<Wallet> {
  const { address } = await readTestKey(reader, role)
  return { kind: 'test', role, address }
}

export async function openTestSigner(
  wallet: Extract<Wallet, { kind: 'test' }>,
  reader: MarketplaceClient,
): Promise<Signer> {
  const { privateKey } = await readTestKey(reader, wallet.role)
  return privateKeyToAccount(privateKey as Hex)
}

async function readTestKey(reader: MarketplaceClient, role: TestRole) {
  const { data } = await reader.call('listSandboxWallets')
  const found = data.wallets.find((wallet) => wallet.role === role)
  if (!found) throw new WalletError('WALLET_MISSING', `This sandbox has no test ${role}.`)
  return found
}

export function createTabWallet(): Wallet {
  const privateKey = generatePrivateKey()
  const { address } = privateKeyToAccount(privateKey)
  sessionStorage.setItem(TAB_KEYS + address, privateKey)
  return { kind: 'tab', address }
}

export function openTabSigner(address: string): Signer {
  const privateKey = sessionStorage.getItem(TAB_KEYS + address)
  if (privateKey === null) {
    throw new WalletError(
      'WALLET_MISSING',
      'The key of this test wallet was kept in another tab and is gone. Sign in with another wallet.',
    )
  }
  return privateKeyToAccount(privateKey as Hex)
}
