import type { Hex } from 'viem'
import { ChainError } from '../errors.ts'
import type { Edr } from './edr.ts'
import type { Sequencer } from './sequencer.ts'

// Reading, estimating and sending signed bytes: what any public node offers. Nothing that signs, for keys live
// elsewhere, and nothing that bends the chain (hardhat_*, evm_*, debug_*), for the journal could not know of it.
const allowedMethods = new Set([
  'eth_blockNumber',
  'eth_call',
  'eth_chainId',
  'eth_estimateGas',
  'eth_feeHistory',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getBlockReceipts',
  'eth_getBlockTransactionCountByHash',
  'eth_getBlockTransactionCountByNumber',
  'eth_getCode',
  'eth_getFilterChanges',
  'eth_getFilterLogs',
  'eth_getLogs',
  'eth_getProof',
  'eth_getStorageAt',
  'eth_getTransactionByBlockHashAndIndex',
  'eth_getTransactionByBlockNumberAndIndex',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_maxPriorityFeePerGas',
  'eth_newBlockFilter',
  'eth_newFilter',
  'eth_sendRawTransaction',
  'eth_syncing',
  'eth_uninstallFilter',
  'net_listening',
  'net_peerCount',
  'net_version',
  'web3_clientVersion',
  'web3_sha3',
])

export type RpcRequest = { method: string; params?: readonly unknown[] }

/** The devnet as an EIP-1193 provider: the same methods and refusals for the server's own code and for wallets at `/rpc`. */
export type DevnetProvider = { request: (request: RpcRequest) => Promise<unknown> }

export const createProvider = ({ edr, sequencer }: { edr: Edr; sequencer: Sequencer }): DevnetProvider => ({
  request: async ({ method, params = [] }) => {
    if (!allowedMethods.has(method))
      throw new ChainError('METHOD_NOT_ALLOWED', `the method ${method} is not available`)
    if (method === 'eth_sendRawTransaction') return sequencer.send(parseRawTransaction(params))
    if (method === 'eth_call' || method === 'eth_estimateGas') {
      return edr.request(method, atPresentTime(params, sequencer.idleSeconds()))
    }
    return edr.request(method, params)
  },
})

// Base makes a block every two seconds: a call there never sees an older time than that.
const STEADY_BLOCK_SECONDS = 2

/**
 * Blocks come with transactions alone, so the latest one may be hours old. Then a call "at the latest block" is
 * run at the pending one: the same state, seen at the present time, as on a chain with steady blocks.
 */
const atPresentTime = (params: readonly unknown[], idleSeconds: number): readonly unknown[] => {
  const [call, block, ...rest] = params
  const namesAnother = block !== undefined && block !== null && block !== 'latest'
  return namesAnother ? params : [call, idleSeconds <= STEADY_BLOCK_SECONDS ? 'latest' : 'pending', ...rest]
}

const parseRawTransaction = ([raw]: readonly unknown[]): Hex => {
  if (typeof raw !== 'string' || !/^0x([0-9a-fA-F]{2})+$/.test(raw)) {
    throw new ChainError('INVALID_ARGUMENT', 'a raw transaction is a hex string')
  }
  return raw as Hex
}
