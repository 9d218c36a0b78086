import { createCoinbaseWalletSDK } from '@coinbase/wallet-sdk'
import type { PlatformConfig } from '../../data/platform/platform-config.ts'
import { shortAddress } from '../../format/address.ts'
import { WalletError } from '../wallet-error.ts'
import type { RemoteLink } from './provider.ts'

/** Coinbase Smart Wallet: a passkey at keys.coinbase.com, in a window of its own. */
export function openCoinbase({ chain }: PlatformConfig): RemoteLink {
  const provider = createCoinbaseWalletSDK({
    appName: 'Agent Marketplace',
    appChainIds: [chain.id],
    preference: { options: 'smartWalletOnly' },
  }).getProvider()
  const chainId = `0x${chain.id.toString(16)}`

  /** Its signatures are bound to the chain that it is on. */
  const moveToChain = async (): Promise<void> => {
    if (Number(await provider.request({ method: 'eth_chainId' })) !== chain.id)
      await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] })
  }

  return {
    connect: async () => {
      const [address] = (await provider.request({ method: 'eth_requestAccounts' })) as string[]
      if (!address) throw new WalletError('WALLET_MISSING', 'The wallet has no account to offer.')
      return { address, name: 'Coinbase Smart Wallet' }
    },
    resume: async (address) => {
      const accounts = (await provider.request({ method: 'eth_requestAccounts' })) as string[]
      if (!accounts.some((account) => account.toLowerCase() === address.toLowerCase()))
        throw new WalletError(
          'OTHER_ACCOUNT',
          `Your wallet is on another account. Choose ${shortAddress(address)} in it and try again.`,
        )
      await moveToChain()
      return provider
    },
    disconnect: () => provider.disconnect(),
  }
}
