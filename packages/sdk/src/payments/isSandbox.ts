import { DEVNET_CHAIN_ID } from '@agent-marketplace/contract'
import type { DataOf } from '../endpoints.ts'

/**
 * The time of a sandbox may be ahead of everybody's, so what is signed there may end late. It has a chain of its own: where
 * money is real, the service's word that it is a sandbox counts for nothing.
 */
export const isSandbox = ({ mode, chain }: Pick<DataOf<'getConfig'>, 'mode' | 'chain'>): boolean =>
  mode === 'sandbox' && chain.id === DEVNET_CHAIN_ID
