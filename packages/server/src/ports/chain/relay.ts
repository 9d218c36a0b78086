import {
  addressesOf,
  assertChainId,
  type ChainClient,
  getFees,
  raiseFees,
  sendRawTransaction,
  signTransaction,
  simulateCall,
  simulateInOrder,
  type TransactionSigner,
} from '@agent-marketplace/chain'
import type { ChainRelay, PreparedCall, SenderName } from './port.ts'

export type Signers = Record<SenderName, TransactionSigner>

interface RelayOptions {
  client: ChainClient
  signers: Signers
  /** The contracts of this service besides those that the chain has for everyone. */
  ownContracts: readonly string[]
}

/** Signing and sending. A sender signs only for contracts that this service works with, or for itself (an empty filler), and never gives ether. */
export function createRelay({ client, signers, ownContracts }: RelayOptions): ChainRelay {
  const chainId = client.chain.id
  const { usdc, spendPermissionManager, smartWalletFactories, agentRegistry, reputationRegistry } =
    addressesOf(chainId)
  const targets = new Set(
    [
      usdc,
      spendPermissionManager,
      ...smartWalletFactories,
      agentRegistry,
      reputationRegistry,
      ...ownContracts,
    ].map((address) => address.toLowerCase()),
  )
  const mayCall = (sender: SenderName, { to, data, value }: PreparedCall): boolean => {
    const isFiller = to.toLowerCase() === signers[sender].address.toLowerCase() && data === '0x'
    return value === 0n && (isFiller || targets.has(to.toLowerCase()))
  }

  return {
    addressOf: (sender) => signers[sender].address,

    async simulate({ sender, call, gasLimit, blockNumber }) {
      if (!mayCall(sender, call)) return { status: 'refused', reason: 'TARGET_NOT_ALLOWED', args: [call.to] }
      return simulateCall(client, { from: signers[sender].address, call, gasLimit, blockNumber })
    },

    async simulateInOrder({ sender, calls }) {
      const foreign = calls.find((call) => !mayCall(sender, call))
      if (foreign) return { status: 'refused', reason: 'TARGET_NOT_ALLOWED', args: [foreign.to] }
      return simulateInOrder(client, { from: signers[sender].address, calls })
    },

    assertChain: () => assertChainId(client, { expected: chainId }),

    async sign({ sender, call, nonce, gas, fees }) {
      if (!mayCall(sender, call)) throw new Error(`the ${sender} signs nothing for ${call.to}`)
      return signTransaction(signers[sender], { call, chainId, nonce, gas, fees })
    },

    broadcast: (rawTransaction) => sendRawTransaction(client, { rawTransaction }),
    getFees: () => getFees(client),
    raiseFees,
    getNonce: ({ address, at }) => client.getTransactionCount({ address, blockTag: at }),
  }
}
