import { type ChainClient, createChainClient, getUsdcBalance } from '@agent-marketplace/chain'
import { createDevnet, listTestWallets } from '@agent-marketplace/chain/devnet'
import { createChainPort } from './client-adapter.ts'
import type { ChainPort, SandboxChain } from './port.ts'

export interface EmbeddedChain {
  chain: ChainPort
  /** For other adapters that speak to the chain themselves, such as the payments port. */
  client: ChainClient
  sandbox: SandboxChain
  close(): Promise<void>
}

/** The chain that comes with the package: in this process, kept in the data directory. */
export async function startEmbeddedChain({
  dataDir,
  seed,
  startSecondsAgo = 0,
  realNowMs,
  onReplay,
}: {
  dataDir: string
  seed: string
  /** Where a fresh chain begins; one that stands keeps the beginning it had. */
  startSecondsAgo?: number
  /** Real time, unless another clock is given. */
  realNowMs?: () => number
  /** Called when it works without this thread. */
  onReplay?: () => void
}): Promise<EmbeddedChain> {
  const devnet = await createDevnet({ dataDir, seed: `0x${seed}`, startSecondsAgo, realNowMs, onReplay })
  const client = createChainClient({ chainId: devnet.chainId, provider: devnet.provider })
  const { operator, spender } = devnet.roles
  const chain = await createChainPort({
    client,
    escrow: devnet.addresses.escrow,
    signers: { operator, spender },
  })
  return {
    chain,
    client,
    sandbox: {
      handleRpc: devnet.handleRpc,
      async faucet({ address, amountMicro }) {
        const to = chain.checksumAddress(address)
        const { transactionHashes } = await devnet.faucet({ address: to, amountMicro })
        const balanceMicro = await getUsdcBalance(client, { usdc: devnet.addresses.usdc, owner: to })
        return { txHash: transactionHashes[0] ?? '', balanceMicro }
      },
      advanceTime: devnet.advanceTime,
      syncOnce: devnet.syncOnce,
      now: () => new Date(devnet.now() * 1000),
      testWallets: listTestWallets(`0x${seed}`),
    },
    close: devnet.close,
  }
}
