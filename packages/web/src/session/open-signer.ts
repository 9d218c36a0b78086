import type { MarketplaceClient, Signer } from '@agent-marketplace/sdk'
import { loadCode } from '../data/connection/load-code.ts'
import type { InjectedWallets } from './injected-wallets.ts'
import type { RemoteWallets } from './remote/remote-wallets.ts'
import type { RemoteWay, Wallet } from './wallet.ts'

export interface SignerSources {
  /** A client that needs no account, for the sandbox's test keys. */
  reader: MarketplaceClient
  injectedWallets: () => Promise<InjectedWallets>
}

/** Signing code is only loaded when something is signed: the wallet libraries are larger than the rest of the page. */
export async function openSigner(wallet: Wallet, sources: SignerSources): Promise<Signer> {
  if (wallet.kind === 'injected') return (await sources.injectedWallets()).openSigner(wallet)
  if (wallet.kind === 'remote')
    return (await openRemoteWallets(wallet.via, sources.reader)).openSigner(wallet)
  if (wallet.kind === 'passkey') {
    const { openPasskeySigner } = await loadCode(() => import('./passkeys/passkey-wallet.ts'))
    return openPasskeySigner(wallet.address, await sources.reader.getConfig())
  }
  const { openSavedSigner, openTestSigner } = await loadCode(() => import('./test-wallets.ts'))
  return wallet.kind === 'saved' ? openSavedSigner(wallet.address) : openTestSigner(wallet, sources.reader)
}

/** The code of a way is loaded when somebody chooses it. */
export async function openRemoteWallets(way: RemoteWay, reader: MarketplaceClient): Promise<RemoteWallets> {
  const [{ openRemote }, config] = await Promise.all([
    loadCode(() => import('./remote/remote-wallets.ts')),
    reader.getConfig(),
  ])
  return openRemote(way, config)
}

/** What is connected through the internet is disconnected there, too; other wallets are not connected at all. */
export async function disconnect(wallet: Wallet, reader: MarketplaceClient): Promise<void> {
  if (wallet.kind === 'remote') await (await openRemoteWallets(wallet.via, reader)).disconnect(wallet)
}

/** A signer that is there at once and opens its wallet for the first signature. It reports when data was signed. */
export function lazySigner(wallet: Wallet, sources: SignerSources, onSigned: () => void): Signer {
  const open = () => openSigner(wallet, sources)
  return {
    address: wallet.address as Signer['address'],
    signMessage: async (parameters) => (await open()).signMessage(parameters),
    signTypedData: async (typedData) => {
      const signature = await (await open()).signTypedData(typedData)
      onSigned()
      return signature
    },
  }
}
