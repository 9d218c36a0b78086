import { type Chain, createPublicClient, custom, http, type PublicClient, type Transport } from 'viem'
import { chainOf } from './chains.ts'

export type ChainClient = PublicClient<Transport, Chain>

/** Any in-process chain: the devnet's provider is one. */
export type Eip1193Provider = {
  request: (request: { method: string; params?: readonly unknown[] }) => Promise<unknown>
}

type ChainClientParameters = { chainId: number; timeoutMs?: number } & (
  | { rpcUrl: string; provider?: never }
  | { provider: Eip1193Provider; rpcUrl?: never }
)

// Retries are the caller's business: a relayer must know that a broadcast failed, not have it repeated behind its back.
const withoutRetries = { retryCount: 0 }

/** A viem client for one chain, over HTTP or straight into the devnet of this process. No call waits longer than `timeoutMs`. */
export const createChainClient = ({
  chainId,
  rpcUrl,
  provider,
  timeoutMs = 3000,
}: ChainClientParameters): ChainClient =>
  createPublicClient({
    chain: chainOf(chainId),
    // Equal reads within one turn of the loop travel once; a cached block number would hide new blocks from the indexer.
    cacheTime: 0,
    pollingInterval: provider ? 20 : 1000,
    transport: provider
      ? custom(provider, withoutRetries)
      : http(rpcUrl, { ...withoutRetries, timeout: timeoutMs }),
  })
