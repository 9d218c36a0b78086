import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import {
  checksumAddress,
  createChainClient,
  getFees,
  getNonce,
  getUsdcBalance,
  getUsdcDomain,
  prepareTransferWithAuthorization,
  sendRawTransaction,
  signTransaction,
  simulateCall,
} from '@agent-marketplace/chain'
import { createDevnet } from '@agent-marketplace/chain/devnet'
import type { SpendAuthorization, TokenDomain } from '../port.ts'

export interface TokenDevnet {
  token: TokenDomain
  /** The chain's present in Unix seconds. */
  now(): number
  give(address: string, amountMicro: bigint): Promise<void>
  balanceOf(address: string): Promise<bigint>
  /** Carries a signed transfer out as the operator does; throws with the token's reason when it refuses. */
  relay(authorization: SpendAuthorization, signature: `0x${string}`): Promise<void>
  close(): Promise<void>
}

/** A chain of the test's own with the real token contract: the judge of signatures. */
export async function startTokenDevnet(): Promise<TokenDevnet> {
  const dataDir = await mkdtemp(join(tmpdir(), 'wallets-devnet-'))
  const devnet = await createDevnet({ dataDir, seed: `0x${'5a'.repeat(32)}` })
  const { chainId, provider, roles, addresses } = devnet
  const client = createChainClient({ chainId, provider })
  const { usdc } = addresses
  const { name, version } = await getUsdcDomain(client, { usdc })

  return {
    token: { name, version, chainId, verifyingContract: usdc },
    now: devnet.now,
    async give(address, amountMicro) {
      await devnet.faucet({ address: checksumAddress(address), amountMicro })
    },
    balanceOf: (address) => getUsdcBalance(client, { usdc, owner: checksumAddress(address) }),

    async relay({ from, to, value, validAfter, validBefore, nonce }, signature) {
      const call = prepareTransferWithAuthorization({
        usdc,
        authorization: {
          from: checksumAddress(from),
          to: checksumAddress(to),
          value,
          validAfter,
          validBefore,
          nonce: `0x${nonce.slice(2)}`,
        },
        signature,
      })
      const { operator } = roles
      const simulation = await simulateCall(client, { from: operator.address, call })
      if (simulation.status !== 'ok') throw new Error(`the token refuses: ${inspect(simulation)}`)
      const { rawTransaction } = await signTransaction(operator, {
        call,
        chainId,
        nonce: await getNonce(client, { address: operator.address, blockTag: 'pending' }),
        gas: simulation.gas,
        fees: await getFees(client),
      })
      const { status } = await sendRawTransaction(client, { rawTransaction })
      if (status !== 'accepted') throw new Error(`the chain says ${status}`)
    },

    async close() {
      await devnet.close()
      await rm(dataDir, { recursive: true })
    },
  }
}
