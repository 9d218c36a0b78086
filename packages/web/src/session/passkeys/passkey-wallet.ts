import type { Signer } from '@agent-marketplace/sdk'
import { type Address, createPublicClient, defineChain, type Hex, http, pad, parseAbi } from 'viem'
import { createWebAuthnCredential, toCoinbaseSmartAccount, toWebAuthnAccount } from 'viem/account-abstraction'
import { readContract } from 'viem/actions'
import { type PlatformConfig, rpcUrlOf } from '../../data/platform/platform-config.ts'
import type { Wallet } from '../wallet.ts'
import { WalletError } from '../wallet-error.ts'
import { type NewPasskey, type SavedPasskey, savedPasskeys } from './saved-passkeys.ts'

const factoryAbi = parseAbi(['function getAddress(bytes[] owners, uint256 nonce) view returns (address)'])

/** Makes a passkey on this device, and the smart wallet that it owns: its address is known before it is deployed. */
export async function createPasskeyWallet(config: PlatformConfig): Promise<Wallet> {
  const { name, credentialId, publicKey } = savedPasskeys.unfinished() ?? (await createPasskey())
  const address = await readContract(clientOf(config), {
    address: factoryOf(config),
    abi: factoryAbi,
    functionName: 'getAddress',
    args: [[publicKey as Hex, pad(managerOf(config))], 0n],
  })
  savedPasskeys.add({ name, address, credentialId, publicKey })
  return { kind: 'passkey', name, address }
}

/** It is kept at once: a device has no way to show again what it made, and the chain may be out of reach. */
async function createPasskey(): Promise<NewPasskey> {
  const name = savedPasskeys.nextName()
  const { id, publicKey } = await createWebAuthnCredential({
    name: `${name} at ${location.host}`,
    rp: { id: location.hostname, name: 'Agent Marketplace sandbox' },
  })
  const passkey = { name, credentialId: id, publicKey }
  savedPasskeys.keepUnfinished(passkey)
  return passkey
}

export async function openPasskeySigner(address: string, config: PlatformConfig): Promise<Signer> {
  const passkey = savedPasskeys.find(address)
  if (passkey) return openAccount(passkey, config)
  throw new WalletError(
    'WALLET_MISSING',
    'The passkey of this wallet is not known to this browser. Sign in with another wallet.',
  )
}

/** Its signatures are those of a Coinbase Smart Wallet; it is deployed by the first one that moves money. */
async function openAccount(passkey: SavedPasskey, config: PlatformConfig): Promise<Signer> {
  const credential = { id: passkey.credentialId, publicKey: passkey.publicKey as Hex }
  const account = await toCoinbaseSmartAccount({
    client: clientOf(config),
    owners: [toWebAuthnAccount({ credential, rpId: location.hostname }), managerOf(config)],
    version: '1.1',
    address: passkey.address as Address,
  })
  const factory = factoryOf(config)
  const getFactoryArgs = account.getFactoryArgs.bind(account)
  return Object.assign(account, {
    getFactoryArgs: async () => {
      const { factoryData } = await getFactoryArgs()
      return factoryData ? { factory, factoryData } : {}
    },
  })
}

function clientOf(config: PlatformConfig) {
  const { id, name } = config.chain
  const rpcUrl = rpcUrlOf(config)
  const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
  const chain = defineChain({ id, name, nativeCurrency, rpcUrls: { default: { http: [rpcUrl] } } })
  return createPublicClient({ chain, transport: http(rpcUrl) })
}

/** Among the owners from the start, so that the wallet can pay for plans. */
const managerOf = ({ contracts }: PlatformConfig) => contracts.spendPermissionManager as Address

function factoryOf({ wallets }: PlatformConfig): Address {
  if (wallets.passkeyFactory) return wallets.passkeyFactory as Address
  throw new WalletError('OTHER_CHAIN', 'Passkey wallets of this browser work in sandboxes only.')
}
