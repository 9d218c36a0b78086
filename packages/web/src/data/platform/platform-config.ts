import type { DataOf } from '@agent-marketplace/sdk'

export type PlatformConfig = DataOf<'getConfig'>

/** In the sandbox the chain is the service itself, under whatever name this page was opened. */
export function rpcUrlOf({ mode, chain }: Pick<PlatformConfig, 'mode' | 'chain'>): string {
  return mode === 'sandbox' ? new URL('/rpc', location.origin).href : chain.rpcUrl
}
