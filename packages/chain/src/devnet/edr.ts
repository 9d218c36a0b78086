import { DEVNET_CHAIN_ID } from '@agent-marketplace/contract'
import type { Hex } from 'viem'
import { ChainError } from '../errors.ts'
import { type Machine, type MachineCall, startMachine } from './machine.ts'
import { remember } from './remember.ts'

// The machine traces every step, at some 100 ms for a million gas spent in a tight loop: the cap bounds what one
// hostile call or transaction can hold up, and the largest of genesis still fits. A full block always does.
const TRANSACTION_GAS_CAP = 8_000_000
export const MAX_BLOCK_TRANSACTIONS = 50

/** Named like everything that changes the chain, so that nothing is remembered across it. */
const RUN_ALL = 'evm_runAll'

export type Edr = {
  request: (method: string, params?: readonly unknown[]) => Promise<unknown>
  /** Checks a signed transaction and keeps it for the next block. */
  send: (rawTransaction: Hex) => Promise<Hex>
  /** Forgets a transaction that was sent and not mined. */
  drop: (hash: Hex) => Promise<void>
  /** Mines what was sent, in the order it came, into one block at `time`. */
  mine: (time: number) => Promise<void>
  latestBlock: () => Promise<{ hash: Hex; time: number }>
  /** Many calls as one, which the machine works off without this thread. The first that fails ends them. */
  runAll: (calls: readonly MachineCall[]) => Promise<unknown[]>
  close: () => Promise<void>
}

/**
 * An Ethereum Virtual Machine in this process. Everything that would make two runs differ is pinned: the
 * first block's time, the hardfork, a base fee of zero, first-in-first-out ordering; blocks come on demand alone.
 */
export const startEdr = async ({ startedAt }: { startedAt: number }): Promise<Edr> => {
  let machine: Machine | undefined = await startMachine({
    chainId: DEVNET_CHAIN_ID,
    startedAt,
    blockGasLimit: TRANSACTION_GAS_CAP * MAX_BLOCK_TRANSACTIONS,
    transactionGasCap: TRANSACTION_GAS_CAP,
  })
  const ask: Edr['request'] = async (method, params = []) => {
    if (!machine) throw new ChainError('DEVNET_CLOSED', 'the devnet is closed')
    return method === RUN_ALL ? machine.runAll(params as MachineCall[]) : machine.request(method, params)
  }
  const request = remember((method, params = []) =>
    method === 'eth_getBlockReceipts' ? getBlockReceipts(ask, params[0]) : ask(method, params),
  )
  return {
    request,
    send: async (rawTransaction) => (await request('eth_sendRawTransaction', [rawTransaction])) as Hex,
    drop: async (hash) => {
      await request('hardhat_dropTransaction', [hash])
    },
    mine: async (time) => {
      await request('evm_mine', [time])
    },
    latestBlock: async () => headOf(await request(...LATEST_BLOCK)),
    runAll: async (calls) => (await request(RUN_ALL, calls)) as unknown[],
    // What nobody holds any more, the machine gives back.
    close: async () => {
      machine = undefined
    },
  }
}

export const LATEST_BLOCK: MachineCall = ['eth_getBlockByNumber', ['latest', false]]

/** Of what the machine says about the latest block. */
export const headOf = (block: unknown): { hash: Hex; time: number } => {
  const { hash, timestamp } = block as { hash: Hex; timestamp: string }
  return { hash, time: Number(timestamp) }
}

/** The machine itself lacks this method, which any other node has. Null for a block that is not there. */
const getBlockReceipts = async (ask: Edr['request'], block: unknown): Promise<unknown> => {
  const isHash = typeof block === 'string' && block.length === 66
  const found = await ask(isHash ? 'eth_getBlockByHash' : 'eth_getBlockByNumber', [block, false])
  if (found === null) return null
  const { transactions } = found as { transactions: Hex[] }
  return Promise.all(transactions.map((hash) => ask('eth_getTransactionReceipt', [hash])))
}
