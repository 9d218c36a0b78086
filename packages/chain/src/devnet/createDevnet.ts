import { DEVNET_CHAIN_ID } from '@agent-marketplace/contract'
import type { Address, Hex } from 'viem'
import { addresses, type ChainAddresses } from '../addresses.ts'
import { type Edr, startEdr } from './edr.ts'
import { createFaucet, type Faucet } from './faucet.ts'
import { applyGenesis, describeGenesis } from './genesis.ts'
import { handleRpc } from './handleRpc.ts'
import { openJournal } from './journal.ts'
import { deployPasskeyWallets } from './passkeyWallets.ts'
import { createProvider, type DevnetProvider } from './provider.ts'
import { replayAtOnce } from './replayJournal.ts'
import { type DevnetRoles, deriveRoles } from './roles.ts'
import { createSequencer } from './sequencer.ts'

export type Devnet = {
  chainId: typeof DEVNET_CHAIN_ID
  addresses: ChainAddresses & {
    escrow: Address
    passkeyWalletFactory: Address
    arbiter: Address
    treasury: Address
    operator: Address
    spender: Address
  }
  /** The keys of the devnet's own parties, derived from the seed. */
  roles: DevnetRoles
  provider: DevnetProvider
  /** Handles the body of a `POST /rpc` and returns the response body; undefined when none is due. */
  handleRpc: (body: string) => Promise<string | undefined>
  faucet: Faucet
  /** Moves the chain's clock forward, now and after every restart, and mines a block at the new time. */
  advanceTime: (seconds: number) => Promise<void>
  /**
   * The blocks of `work` wait for the disk together, when it has ended: for what is thrown away if a crash interrupts it.
   * They are acknowledged before.
   */
  syncOnce: <T>(work: () => Promise<T>) => Promise<T>
  /** The chain's present, in Unix seconds: real time, moved by where it began and every jump since; never behind the latest block. */
  now: () => number
  /** What opening found: how many blocks were replayed, and how many bytes of a torn last line were cut. */
  replayed: { blocks: number; repairedBytes: number }
  close: () => Promise<void>
}

/**
 * Starts the embedded chain of `dataDir`: the contracts at their fixed addresses, then every journalled block again.
 * A transaction is acknowledged only after it is on disk, so an acknowledged one survives `kill -9` and a power cut.
 */
export const createDevnet = async ({
  dataDir,
  seed,
  startSecondsAgo = 0,
  realNowMs = Date.now,
  onReplay,
}: {
  dataDir: string
  seed: Hex
  /** A chain that begins here begins this long ago, and its clock stays so far behind until it is moved. */
  startSecondsAgo?: number
  realNowMs?: () => number
  /** Called when the blocks are being replayed: the machine needs this thread no more until it is done. */
  onReplay?: (() => void) | undefined
}): Promise<Devnet> => {
  const roles = deriveRoles(seed)
  const genesis = describeGenesis(roles)
  const journal = await openJournal({
    dataDir,
    genesis: genesis.fingerprint,
    startedAt: Math.floor(realNowMs() / 1000) - startSecondsAgo,
    offsetSeconds: -startSecondsAgo,
  })
  const { startedAt } = journal.header
  const openMachine = async (): Promise<Edr> => {
    const opened = await startEdr({ startedAt })
    await applyGenesis(opened, genesis, startedAt)
    return opened
  }
  const first = await openMachine()
  const replayed = await replayAtOnce(first, journal.entries, onReplay)
  const edr = replayed ? first : await openMachine()
  const sequencer = await createSequencer({ edr, journal, realNowMs, replayed })
  const provider = createProvider({ edr, sequencer })
  await deployPasskeyWallets(provider)
  let closing: Promise<void> | undefined
  const closeInOrder = async (): Promise<void> => {
    await sequencer.close()
    await journal.close()
    await edr.close()
  }

  return {
    chainId: DEVNET_CHAIN_ID,
    addresses: {
      ...addresses[DEVNET_CHAIN_ID],
      treasury: roles.treasury.address,
      operator: roles.operator.address,
      spender: roles.spender.address,
    },
    roles,
    provider,
    handleRpc: (body) => handleRpc(provider, body),
    faucet: await createFaucet(provider, roles.faucet),
    advanceTime: sequencer.advanceTime,
    syncOnce: journal.syncOnce,
    now: sequencer.now,
    replayed: { blocks: journal.entries.length, repairedBytes: journal.repairedBytes },
    close: () => {
      closing ??= closeInOrder()
      return closing
    },
  }
}
