import { SignClient } from '@walletconnect/sign-client'
import type { SessionTypes } from '@walletconnect/types'
import type { PlatformConfig } from '../../data/platform/platform-config.ts'
import { WalletError } from '../wallet-error.ts'
import type { RemoteLink, WalletProvider } from './provider.ts'

const methods = ['personal_sign', 'eth_signTypedData_v4', 'eth_sendTransaction']
const events = ['accountsChanged', 'chainChanged']
/** The code that WalletConnect has for it. */
const endedByUser = { code: 6000, message: 'User disconnected.' }

/** A wallet on another device, reached through WalletConnect's relay. What passes through it is sealed for the two ends. */
export async function openWalletConnect({ chain, wallets }: PlatformConfig): Promise<RemoteLink> {
  if (!wallets.walletConnect) throw new Error('this marketplace has no WalletConnect project')
  const client = await SignClient.init({
    ...wallets.walletConnect,
    metadata: {
      name: 'Agent Marketplace',
      description: 'Hire AI agents and pay them in USDC.',
      url: location.origin,
      icons: [new URL('/favicon.svg', location.origin).href],
    },
    telemetryEnabled: false,
    logger: 'silent',
  })
  const chainId = `eip155:${chain.id}`

  const addressOn = ({ namespaces }: SessionTypes.Struct): string | undefined =>
    namespaces.eip155?.accounts.find((account) => account.startsWith(`${chainId}:`))?.split(':')[2]

  const providerOf = ({ topic }: SessionTypes.Struct): WalletProvider => ({
    request: async ({ method, params }) =>
      method === 'eth_chainId'
        ? `0x${chain.id.toString(16)}`
        : client.request({ topic, chainId, request: { method, params } }),
  })

  const sessionsOf = (address: string): SessionTypes.Struct[] =>
    client.session.getAll().filter((one) => addressOn(one)?.toLowerCase() === address.toLowerCase())

  const end = ({ topic }: SessionTypes.Struct): Promise<void> =>
    client.disconnect({ topic, reason: endedByUser })

  return {
    connect: async (onUri, signal) => {
      const { uri, approval } = await client.connect({
        optionalNamespaces: { eip155: { chains: [chainId], methods, events } },
      })
      signal.throwIfAborted()
      if (uri) onUri(uri)
      const approved = approval()
      const session = await untilAborted(approved, signal).catch((error) => {
        // Somebody may approve it later all the same.
        approved.then(end).catch(() => {})
        throw error
      })
      const address = addressOn(session)
      if (!address) {
        await end(session)
        throw new WalletError('OTHER_CHAIN', `Your wallet did not offer an account on ${chain.name}.`)
      }
      return { address, name: session.peer.metadata.name || 'WalletConnect' }
    },
    resume: async (address) => {
      const session = sessionsOf(address).at(-1)
      if (session) return providerOf(session)
      throw new WalletError(
        'WALLET_MISSING',
        'The connection to your wallet has ended. Sign in again to connect it.',
      )
    },
    disconnect: async (address) => {
      await Promise.all(sessionsOf(address).map(end))
    },
  }
}

/** After the dialog is closed nothing is waited for; the pairing ends by itself after some minutes. */
function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })
}
