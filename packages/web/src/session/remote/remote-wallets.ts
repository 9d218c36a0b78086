import type { Signer } from '@agent-marketplace/sdk'
import { createWalletClient, custom, defineChain } from 'viem'
import { loadCode } from '../../data/connection/load-code.ts'
import { type PlatformConfig, rpcUrlOf } from '../../data/platform/platform-config.ts'
import type { PreparedTransaction, RemoteWay, Wallet } from '../wallet.ts'
import type { RemoteLink } from './provider.ts'

type RemoteWallet = Extract<Wallet, { kind: 'remote' }>

export interface RemoteWallets {
  /** Asks for an account. `onUri` gets what is shown to a phone's camera, where that is the way. */
  connect: (onUri: (uri: string) => void, signal: AbortSignal) => Promise<RemoteWallet>
  openSigner: (wallet: RemoteWallet) => Signer
  send: (wallet: RemoteWallet, transaction: PreparedTransaction) => Promise<`0x${string}`>
  disconnect: (wallet: RemoteWallet) => Promise<void>
}

const opened = new Map<RemoteWay, Promise<RemoteLink>>()

/** Wallets that are not in this browser, on the marketplace's own chain. */
export async function openRemote(way: RemoteWay, config: PlatformConfig): Promise<RemoteWallets> {
  const opening = opened.get(way) ?? openLink(way, config)
  opened.set(way, opening)
  const link = await opening.catch((error) => {
    opened.delete(way)
    throw error
  })
  const chain = defineChain({
    id: config.chain.id,
    name: config.chain.name,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrlOf(config)] } },
  })
  const clientOf = async ({ address }: RemoteWallet) => {
    const provider = await link.resume(address)
    // What somebody has to approve is asked once.
    const transport = custom(provider, { retryCount: 0 })
    return createWalletClient({ account: address as `0x${string}`, chain, transport })
  }
  return {
    connect: async (onUri, signal) => {
      const { address, name } = await link.connect(onUri, signal)
      return { kind: 'remote', via: way, name, address }
    },
    openSigner: (wallet) => ({
      address: wallet.address as Signer['address'],
      signMessage: async ({ message }) => (await clientOf(wallet)).signMessage({ message }),
      signTypedData: async (typedData) => (await clientOf(wallet)).signTypedData(typedData),
    }),
    send: async (wallet, { to, data }) => (await clientOf(wallet)).sendTransaction({ to, data }),
    disconnect: ({ address }) => link.disconnect(address),
  }
}

async function openLink(way: RemoteWay, config: PlatformConfig): Promise<RemoteLink> {
  if (way === 'coinbase') {
    const { openCoinbase } = await loadCode(() => import('./coinbase.ts'))
    return openCoinbase(config)
  }
  const { openWalletConnect } = await loadCode(() => import('./walletconnect.ts'))
  return openWalletConnect(config)
}
