import type { MarketplaceClient } from '@agent-marketplace/sdk'
import { createWalletClient, defineChain, type Hex, http } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { savedWallets } from './saved-wallets.ts'
import type { PreparedTransaction, TestRole, Wallet } from './wallet.ts'
import { WalletError } from './wallet-error.ts'

export async function findTestWallet(reader: MarketplaceClient, role: TestRole): Promise<Wallet> {
  const { address } = await readTestKey(reader, role)
  return { kind: 'test', role, address }
}

export async function openTestSigner(
  wallet: Extract<Wallet, { kind: 'test' }>,
  reader: MarketplaceClient,
): Promise<PrivateKeyAccount> {
  const { privateKey } = await readTestKey(reader, wallet.role)
  return privateKeyToAccount(privateKey as Hex)
}

async function readTestKey(reader: MarketplaceClient, role: TestRole) {
  const { data } = await reader.call('listSandboxWallets')
  const found = data.wallets.find((wallet) => wallet.role === role)
  if (!found) throw new WalletError('WALLET_MISSING', `This sandbox has no test ${role}.`)
  return found
}

/** A new wallet under the next free name. The browser keeps it, so that what is done with it can be gone on with. */
export function createSavedWallet(): Wallet {
  const privateKey = generatePrivateKey()
  const { address } = privateKeyToAccount(privateKey)
  const wallet = savedWallets.add({ address, privateKey })
  return { kind: 'saved', name: wallet.name, address }
}

export function openSavedSigner(address: string): PrivateKeyAccount {
  const found = savedWallets.find(address)
  if (!found) {
    throw new WalletError(
      'WALLET_MISSING',
      'The key of this test wallet is not in this browser. Sign in with another wallet.',
    )
  }
  return privateKeyToAccount(found.privateKey as Hex)
}

/** The sandbox's chain takes it from the key itself; the wallet pays the gas. */
export function sendFrom(
  account: PrivateKeyAccount,
  { chainId, to, data }: PreparedTransaction,
  rpcUrl: string,
): Promise<Hex> {
  const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
  const rpcUrls = { default: { http: [rpcUrl] } }
  const chain = defineChain({ id: chainId, name: 'Sandbox', nativeCurrency, rpcUrls })
  return createWalletClient({ account, chain, transport: http(rpcUrl) }).sendTransaction({ to, data })
}
