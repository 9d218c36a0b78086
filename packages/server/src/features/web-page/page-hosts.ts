import type { Ground } from '../../house/ground.ts'
import type { PageHosts } from '../../platform/http/browsers/security-headers.ts'

/** Shows wallets, through a hidden frame, which site really asks: WalletConnect's protection against copied pages. */
const WALLETCONNECT_VERIFY = 'https://verify.walletconnect.org'

/** The page follows transactions on the chain itself, which in the sandbox is this server. What is not set opens nothing. */
export function pageHostsOf(
  { chain, walletConnect }: Pick<Ground['config'], 'chain' | 'walletConnect'>,
  publicRpcUrl: string,
): PageHosts {
  return {
    connectTo: [
      ...(chain ? [new URL(publicRpcUrl).origin] : []),
      ...(walletConnect ? [new URL(walletConnect.relayUrl).origin, WALLETCONNECT_VERIFY] : []),
    ],
    frames: walletConnect ? [WALLETCONNECT_VERIFY] : [],
  }
}
