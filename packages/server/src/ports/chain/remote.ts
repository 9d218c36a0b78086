import {
  assertChainId,
  type ChainClient,
  createChainClient,
  createKeyAccount,
  getEscrowSettings,
} from '@agent-marketplace/chain'
import { StartupError } from '../../platform/db/startup-error.ts'
import { createChainPort } from './client-adapter.ts'
import type { ChainPort } from './port.ts'

export interface RemoteChainOptions {
  rpcUrl: string
  chainId: number
  escrowAddress: string
  /** 32 bytes as hex, with or without 0x. Kept in this process, never logged. */
  operatorPrivateKey: string
  spenderPrivateKey: string
}

export interface RemoteChain {
  chain: ChainPort
  client: ChainClient
}

/** A real chain over JSON-RPC. It refuses to start on another chain, or with keys that the escrow does not know. */
export async function connectRemoteChain(options: RemoteChainOptions): Promise<RemoteChain> {
  const { rpcUrl, chainId, escrowAddress } = options
  const client = await explained(`CHAIN_ID ${chainId} is not a chain that this service supports`, async () =>
    createChainClient({ chainId, rpcUrl }),
  )
  const signers = {
    operator: accountOf('OPERATOR_PRIVATE_KEY', options.operatorPrivateKey),
    spender: accountOf('SPENDER_PRIVATE_KEY', options.spenderPrivateKey),
  }
  await explained('RPC_URL does not serve the chain CHAIN_ID', () =>
    assertChainId(client, { expected: chainId }),
  )
  const chain = await explained(`ESCROW_ADDRESS ${escrowAddress} is not an escrow on chain ${chainId}`, () =>
    createChainPort({ client, escrow: escrowAddress, signers }),
  )
  const { token, operator } = await getEscrowSettings(client, {
    escrow: chain.checksumAddress(escrowAddress),
  })
  if (token.toLowerCase() !== chain.facts.contracts.usdc.toLowerCase()) {
    throw new StartupError(`Cannot start: the escrow holds ${token}, not this chain's USDC.`)
  }
  if (operator.toLowerCase() !== signers.operator.address.toLowerCase()) {
    throw new StartupError(
      `Cannot start: the escrow's operator is ${operator}, OPERATOR_PRIVATE_KEY is the key of ${signers.operator.address}.`,
    )
  }
  return { chain, client }
}

function accountOf(setting: string, privateKey: string) {
  const hex = privateKey.replace(/^0x/, '')
  if (!/^[0-9a-fA-F]{64}$/.test(hex)) throw new StartupError(`Cannot start: ${setting} is not a private key.`)
  return createKeyAccount(Buffer.from(hex, 'hex'))
}

async function explained<T>(problem: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new StartupError(`Cannot start: ${problem}.`, { cause: error })
  }
}
