import {
  addressesOf,
  type ChainClient,
  chainOf,
  checksumAddress,
  getEscrowSettings,
  getUsdcDomain,
  verifyMessageSignature,
  verifySmartAccountMessage,
} from '@agent-marketplace/chain'
import { AppError } from '@agent-marketplace/contract'
import { unwrapSignature } from '../payments/erc6492.ts'
import { createArbiterSafe } from './arbiter-safe.ts'
import {
  createAgentRegistryCalls,
  createEscrowCalls,
  createReputationCalls,
  createUsdcCalls,
} from './calls.ts'
import type { ChainFacts, ChainPort, Hex } from './port.ts'
import { createReader } from './reader.ts'
import { createRelay, type Signers } from './relay.ts'
import { createSpendPermissionCalls } from './spend-permissions.ts'

export interface ClientAdapterOptions {
  client: ChainClient
  escrow: string
  signers: Signers
}

/** The chain port over a JSON-RPC client. Embedded and production differ only in where the client comes from. */
export async function createChainPort(options: ClientAdapterOptions): Promise<ChainPort> {
  const { client, signers } = options
  const facts = await readFacts(options)
  const escrow = checksumAddress(options.escrow)
  const { usdc, agentRegistry, reputationRegistry, spendPermissionManager, smartWalletFactories } =
    addressesOf(facts.chainId)
  const factories = new Set(smartWalletFactories.map((factory) => factory.toLowerCase()))
  const isWalletFactory = (address: string): boolean => factories.has(address.toLowerCase())
  const contracts = { usdc, escrow, agentRegistry, reputationRegistry, spendPermissionManager }
  const escrowCalls = createEscrowCalls({
    escrow,
    token: { address: usdc, chainId: facts.chainId, ...facts.usdc },
  })
  return {
    facts,
    checksumAddress,

    async verifyMessage({ address, message, signature }) {
      if (await verifyMessageSignature({ address, message, signature })) return true
      const verdict = await verifySmartAccountMessage(client, {
        address: checksumAddress(address),
        message,
        signature: `0x${signature.replace(/^0x/, '')}`,
      })
      if (verdict.status === 'unanswered') {
        throw new AppError('UNAVAILABLE', {
          message: 'The chain is not responding right now.',
          cause: verdict.cause,
        })
      }
      return verdict.status === 'valid'
    },

    readSignature(signature) {
      const given: Hex = `0x${signature.replace(/^0x/, '')}`
      const wrapped = unwrapSignature(given)
      if (!wrapped || !isWalletFactory(wrapped.factory)) return { signature: given, deployment: undefined }
      const deployment = { to: wrapped.factory, data: wrapped.factoryData, value: 0n }
      return { signature: wrapped.signature, deployment }
    },

    isWalletFactory,

    async ping() {
      const chainId = await client.getChainId()
      if (chainId !== facts.chainId) throw new Error(`the chain says it is ${chainId}, not ${facts.chainId}`)
    },

    relay: createRelay({ client, signers, ownContracts: [escrow, facts.contracts.arbiter] }),
    reader: createReader({ client, contracts, spender: signers.spender.address }),
    escrow: escrowCalls,
    usdc: createUsdcCalls({ client, usdc }),
    spendPermissions: createSpendPermissionCalls({ client, manager: spendPermissionManager }),
    agentRegistry: createAgentRegistryCalls({
      client,
      registry: agentRegistry,
      chainId: facts.chainId,
      operator: signers.operator.address,
    }),
    reputation: createReputationCalls({
      registry: reputationRegistry,
      operator: signers.operator.address,
    }),
    arbiter: createArbiterSafe({
      client,
      safe: checksumAddress(facts.contracts.arbiter),
      chainId: facts.chainId,
      escrow: escrowCalls,
    }),
  }
}

/** Read once at the start: what stands on the chain is the truth, the settings only say where to look. */
async function readFacts({ client, escrow, signers }: ClientAdapterOptions): Promise<ChainFacts> {
  const { chain } = client
  const known = addressesOf(chain.id)
  const escrowAddress: Hex = checksumAddress(escrow)
  const [settings, domain] = await Promise.all([
    getEscrowSettings(client, { escrow: escrowAddress }),
    getUsdcDomain(client, { usdc: known.usdc }),
  ])
  return {
    chainId: chain.id,
    name: chain.name,
    explorerUrl: chainOf(chain.id).blockExplorers?.default.url ?? null,
    publicRpcUrl: chainOf(chain.id).rpcUrls.default.http[0] ?? '',
    contracts: {
      usdc: known.usdc,
      escrow: escrowAddress,
      agentRegistry: known.agentRegistry,
      reputationRegistry: known.reputationRegistry,
      spendPermissionManager: known.spendPermissionManager,
      arbiter: settings.arbiter,
      treasury: settings.treasury,
    },
    usdc: { name: domain.name, version: domain.version, decimals: 6 },
    spender: signers.spender.address,
    operator: signers.operator.address,
    passkeyFactory: known.passkeyWalletFactory ?? null,
  }
}
