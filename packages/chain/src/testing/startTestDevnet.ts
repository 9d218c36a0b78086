import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TransactionReceipt } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { getFees } from '../actions/transactions/getFees.ts'
import { getNonce } from '../actions/transactions/getNonce.ts'
import { getTransactionOutcome } from '../actions/transactions/getTransactionOutcome.ts'
import { sendRawTransaction } from '../actions/transactions/sendRawTransaction.ts'
import { signTransaction } from '../actions/transactions/signTransaction.ts'
import { type ChainClient, createChainClient } from '../createChainClient.ts'
import { createDevnet, type Devnet } from '../devnet/index.ts'
import type { PreparedCall } from '../preparedCall.ts'

export const TEST_SEED = `0x${'5e'.repeat(32)}` as const

/** A devnet in a directory of its own, and the few verbs that every chain test speaks. */
export type TestDevnet = {
  devnet: Devnet
  client: ChainClient
  dataDir: string
  /** Signs, sends and awaits a call the way the relayer does; the receipt may show a revert. */
  execute: (from: PrivateKeyAccount, call: PreparedCall) => Promise<TransactionReceipt>
  /** Closes the devnet and starts it again from its journal. */
  restart: () => Promise<TestDevnet>
  stop: () => Promise<void>
}

export const startTestDevnet = async (dataDir?: string): Promise<TestDevnet> => {
  const directory = dataDir ?? (await mkdtemp(join(tmpdir(), 'devnet-')))
  const devnet = await createDevnet({ dataDir: directory, seed: TEST_SEED })
  const client = createChainClient({ chainId: devnet.chainId, provider: devnet.provider })
  return {
    devnet,
    client,
    dataDir: directory,
    execute: async (from, call) => {
      const { rawTransaction, hash } = await signTransaction(from, {
        call,
        chainId: devnet.chainId,
        nonce: await getNonce(client, { address: from.address, blockTag: 'pending' }),
        gas: 2_000_000n,
        fees: await getFees(client),
      })
      const broadcast = await sendRawTransaction(client, { rawTransaction })
      if (broadcast.status !== 'accepted') throw new Error(`broadcast was ${broadcast.status}`)
      const outcome = await getTransactionOutcome(client, { hash })
      if (!('receipt' in outcome)) throw new Error(`transaction is ${outcome.status}`)
      return outcome.receipt
    },
    restart: async () => {
      await devnet.close()
      return startTestDevnet(directory)
    },
    stop: async () => {
      await devnet.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** A key of its own for each number, the same in every run. */
export const testAccount = (index: number): PrivateKeyAccount =>
  privateKeyToAccount(`0x${(0xacc0_0000n + BigInt(index)).toString(16).padStart(64, '0')}`)
