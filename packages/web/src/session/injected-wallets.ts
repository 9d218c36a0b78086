import type { Signer } from '@agent-marketplace/sdk'
import { defineChain } from 'viem'
import { sendTransaction, signMessage, signTypedData } from 'viem/actions'
import { type Connector, createConfig, http } from 'wagmi'
import {
  connect,
  disconnect,
  getConnection,
  getConnectorClient,
  getConnectors,
  reconnect,
  switchChain,
  watchConnectors,
} from 'wagmi/actions'
import type { PlatformConfig } from '../data/platform/platform-config.ts'
import { shortAddress } from '../format/address.ts'
import type { PreparedTransaction, Wallet } from './wallet.ts'
import { WalletError } from './wallet-error.ts'

type InjectedWallet = Extract<Wallet, { kind: 'injected' }>

export interface FoundWallet {
  rdns: string
  name: string
  icon: string | undefined
}

export interface InjectedWallets {
  list: () => FoundWallet[]
  /** Wallets may announce themselves late; returns a function that ends the watching. */
  watch: (onChange: () => void) => () => void
  /** Asks the wallet for an account. */
  connect: (rdns: string) => Promise<InjectedWallet>
  openSigner: (wallet: InjectedWallet) => Signer
  /** The wallet shows it, sends it and pays the gas. */
  send: (wallet: InjectedWallet, transaction: PreparedTransaction) => Promise<`0x${string}`>
}

/** The wallets that this browser has, found by EIP-6963, on the marketplace's own chain. */
export function discoverWallets({ chain: facts }: PlatformConfig, rpcUrl: string): InjectedWallets {
  const chain = defineChain({
    id: facts.id,
    name: facts.name,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
    ...(facts.explorerUrl
      ? { blockExplorers: { default: { name: 'Explorer', url: facts.explorerUrl } } }
      : {}),
  })
  const config = createConfig({
    chains: [chain],
    transports: { [chain.id]: http(rpcUrl) },
    storage: null,
  })

  const connectorOf = (rdns: string): Connector => {
    const connector = getConnectors(config).find(({ id }) => id === rdns)
    if (connector) return connector
    throw new WalletError('WALLET_MISSING', 'The wallet you signed in with is not in this browser any more.')
  }

  /** A wallet that already trusts this page is taken up again without a question. */
  const take = async (connector: Connector): Promise<void> => {
    if (getConnection(config).connector?.uid === connector.uid) return
    if (await connector.isAuthorized()) await reconnect(config, { connectors: [connector] })
    if (getConnection(config).connector?.uid !== connector.uid) await connect(config, { connector })
  }

  /** With the account that signed in: wallets let people switch accounts behind the page's back. */
  const open = async ({ rdns, address }: InjectedWallet): Promise<Connector> => {
    const connector = connectorOf(rdns)
    await take(connector)
    const accounts = await connector.getAccounts()
    if (accounts.some((account) => account.toLowerCase() === address.toLowerCase())) return connector
    throw new WalletError(
      'OTHER_ACCOUNT',
      `Your wallet is on another account. Choose ${shortAddress(address)} in it and try again.`,
    )
  }

  /** Wallets refuse typed data of another chain than the one they are on. */
  const moveToChain = async (connector: Connector): Promise<void> => {
    if ((await connector.getChainId()) !== chain.id)
      await switchChain(config, { connector, chainId: chain.id })
  }

  return {
    list: () => getConnectors(config).map(({ id, name, icon }) => ({ rdns: id, name, icon })),
    watch: (onChange) => watchConnectors(config, { onChange }),
    connect: async (rdns) => {
      const connector = connectorOf(rdns)
      if (getConnection(config).connector?.uid === connector.uid) await disconnect(config, { connector })
      await connect(config, { connector })
      const [address] = await connector.getAccounts()
      if (!address) throw new WalletError('WALLET_MISSING', 'The wallet has no account to offer.')
      return { kind: 'injected', rdns, name: connector.name, address }
    },
    openSigner: (wallet) => ({
      address: wallet.address as Signer['address'],
      signMessage: async ({ message }) => {
        const connector = await open(wallet)
        const account = wallet.address as Signer['address']
        const client = await getConnectorClient(config, { connector, account, assertChainId: false })
        return signMessage(client, { account, message })
      },
      signTypedData: async (typedData) => {
        const connector = await open(wallet)
        await moveToChain(connector)
        const account = wallet.address as Signer['address']
        const client = await getConnectorClient(config, { connector, account })
        return signTypedData(client, { account, ...typedData })
      },
    }),
    send: async (wallet, { to, data }) => {
      const connector = await open(wallet)
      await moveToChain(connector)
      const account = wallet.address as Signer['address']
      const client = await getConnectorClient(config, { connector, account })
      return sendTransaction(client, { account, chain, to, data })
    },
  }
}
