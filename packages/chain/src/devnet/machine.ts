import { createRequire } from 'node:module'
import type { EdrContext, MineOrdering, Provider } from '@nomicfoundation/edr'

// The machine that Hardhat runs on, in the version that comes with it. Hardhat itself would load 200 modules more.
const edr: typeof import('@nomicfoundation/edr') = createRequire(
  createRequire(import.meta.url).resolve('hardhat/package.json'),
)('@nomicfoundation/edr')

/** The code that clients know a revert by, as geth has it. */
const EXECUTION_REVERTED = 3

/** All estimates but the least that could succeed: no call within runs out of gas either. */
const NO_INTERNAL_OUT_OF_GAS = 1

/** As Hardhat has it. Blocks name it, so it stays. */
const COINBASE = Buffer.from('c014ba5ec014ba5ec014ba5ec014ba5ec014ba5e', 'hex')

export interface MachineOptions {
  chainId: number
  startedAt: number
  blockGasLimit: number
  transactionGasCap: number
}

export type MachineCall = readonly [method: string, params: readonly unknown[]]

export interface Machine {
  request: (method: string, params: readonly unknown[]) => Promise<unknown>
  /** One after another, on a thread of the machine's own. The first that fails ends them, and all fail with it. */
  runAll: (calls: readonly MachineCall[]) => Promise<unknown[]>
}

let context: Promise<EdrContext> | undefined

/** There may be one in a process. */
const openContext = async (): Promise<EdrContext> => {
  const opened = new edr.EdrContext()
  await opened.registerProviderFactory(edr.L1_CHAIN_TYPE, edr.l1ProviderFactory())
  return opened
}

/** Everything that blocks are made of is pinned, with what Hardhat takes by default: journals hold the hash of each. */
export const startMachine = async (options: MachineOptions): Promise<Machine> => {
  const { chainId, startedAt, transactionGasCap } = options
  const blockGasLimit = BigInt(options.blockGasLimit)
  context ??= openContext()
  const machine = await (await context).createProvider(
    edr.L1_CHAIN_TYPE,
    {
      allowBlocksWithSameTimestamp: true,
      allowUnlimitedContractSize: false,
      bailOnCallFailure: true,
      bailOnTransactionFailure: false,
      chainId: BigInt(chainId),
      networkId: BigInt(chainId),
      coinbase: COINBASE,
      defaultTransactionGasLimit: BigInt(transactionGasCap),
      transactionGasCap: BigInt(transactionGasCap),
      gasEstimationMode: NO_INTERNAL_OUT_OF_GAS,
      hardfork: edr.OSAKA,
      genesisState: edr.l1GenesisState(edr.l1HardforkFromString(edr.OSAKA)),
      initialBaseFeePerGas: 0n,
      minGasPrice: 0n,
      mining: { autoMine: false, blockGasLimit, memPool: { order: 'Fifo' as MineOrdering } },
      network: { genesisBlockGasLimit: blockGasLimit, genesisBlockTime: BigInt(startedAt) },
      observability: {},
      ownedAccounts: [],
      precompileOverrides: [],
    },
    { enable: false, decodeConsoleLogInputsCallback: () => [], printLineCallback: () => undefined },
    { subscriptionCallback: () => undefined },
    new edr.ContractDecoder(),
  )
  return createCalls(machine)
}

const createCalls = (machine: Provider): Machine => {
  let id = 0
  const describe = ([method, params]: MachineCall) => {
    id += 1
    return { jsonrpc: '2.0', id, method, params }
  }
  const send = async (body: object): Promise<unknown> => {
    const { data } = await machine.handleRequest(JSON.stringify(body))
    const { result, error } = typeof data === 'string' ? JSON.parse(data) : data
    if (error === undefined) return result
    const { message, code, data: details } = error
    const returned = details?.reason?.Revert
    // Where other nodes have them.
    throw Object.assign(
      new Error(message),
      returned === undefined ? { code, data: details } : { code: EXECUTION_REVERTED, data: returned },
    )
  }
  return {
    request: (method, params) => send(describe([method, params])),
    runAll: async (calls) => (await send(calls.map(describe))) as unknown[],
  }
}
