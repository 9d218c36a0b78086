import {
  getFees,
  getNonce,
  type PreparedCall,
  sendRawTransaction,
  signTransaction,
  type TransactionSigner,
} from '@agent-marketplace/chain'
import type { ChaosChain } from '../../money/testing/chaos-chain.ts'
import type { EmbeddedChain } from '../../ports/chain/embedded.ts'
import type { Hex } from '../../ports/chain/port.ts'

/** What happens on the chain past the service. */
export function createWorldChain(world: ChaosChain | EmbeddedChain) {
  const { chain, client } = world
  const faucet = 'sandbox' in world ? world.sandbox.faucet : world.faucet

  /** Sends a call from a wallet of the test's; the chain must take it. */
  const send = async (from: TransactionSigner, call: PreparedCall): Promise<Hex> => {
    const { rawTransaction, hash } = await signTransaction(from, {
      call,
      chainId: chain.facts.chainId,
      nonce: await getNonce(client, { address: from.address, blockTag: 'pending' }),
      gas: 3_000_000n,
      fees: await getFees(client),
    })
    const { status } = await sendRawTransaction(client, { rawTransaction })
    if (status !== 'accepted') throw new Error(`the chain says ${status}`)
    return hash
  }

  return {
    /** USDC out of nothing, and gas. */
    give: async (wallet: string, amountMicro: bigint): Promise<void> =>
      void (await faucet({ address: chain.checksumAddress(wallet), amountMicro })),

    balanceOf: (wallet: string) => chain.usdc.balanceOf(wallet),

    /** For a chain that mines later, or a call that may revert. */
    send,

    /** The same where the call is mined at once; it must succeed. */
    async execute(from: TransactionSigner, call: PreparedCall): Promise<Hex> {
      const hash = await send(from, call)
      const outcome = await chain.reader.getOutcome(hash)
      if (outcome.status !== 'success') throw new Error(`the chain says ${outcome.status}`)
      return hash
    },
  }
}
