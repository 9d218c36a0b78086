import { createCoinbaseWalletSDK } from '@coinbase/wallet-sdk'
import type { PlatformConfig } from '../../data/platform/platform-config.ts'
import { shortAddress } from '../../format/address.ts'
import { WalletError } from '../wallet-error.ts'
import type { RemoteLink, WalletProvider } from './provider.ts'

interface CoinbaseProvider extends WalletProvider {
  disconnect: () => Promise<void>
}

/** Coinbase Smart Wallet: a passkey at keys.coinbase.com, in a window of its own. */
export function openCoinbase({ chain }: Pick<PlatformConfig, 'chain'>): RemoteLink {
  const sdk = createCoinbaseWalletSDK({
    appName: 'Agent Marketplace',
    appChainIds: [chain.id],
    preference: { options: 'smartWalletOnly' },
  })
  return linkCoinbase(sdk.getProvider(), chain)
}

export function linkCoinbase(
  provider: CoinbaseProvider,
  chain: Pick<PlatformConfig['chain'], 'id'>,
): RemoteLink {
  const chainId = `0x${chain.id.toString(16)}`

  /** Its signatures are bound to the chain that it is on. */
  const moveToChain = async (): Promise<void> => {
    if (Number(await provider.request({ method: 'eth_chainId' })) !== chain.id)
      await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] })
  }

  const accountsBy = async (method: 'eth_requestAccounts' | 'eth_accounts'): Promise<string[]> =>
    (await provider.request({ method })) as string[]
  const hasAccount = (accounts: readonly string[], address: string): boolean =>
    accounts.some((account) => account.toLowerCase() === address.toLowerCase())

  return {
    connect: async () => {
      const [address] = await accountsBy('eth_requestAccounts')
      if (!address) throw new WalletError('WALLET_MISSING', 'The wallet has no account to offer.')
      return { address, name: 'Coinbase Smart Wallet' }
    },
    resume: async (address) => {
      if (!hasAccount(await accountsBy('eth_requestAccounts'), address))
        throw new WalletError(
          'OTHER_ACCOUNT',
          `Your wallet is on another account. Choose ${shortAddress(address)} in it and try again.`,
        )
      await moveToChain()
      return provider
    },
    disconnect: async (address) => {
      // It has one connection, which may be another account's by now. Without any it rejects the question.
      const accounts = await accountsBy('eth_accounts').catch(() => [])
      if (hasAccount(accounts, address)) await provider.disconnect()
    },
  }
}
