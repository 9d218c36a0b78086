import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { pino } from 'pino'
import { type Static, Type } from 'typebox'
import { createMoneyEngine } from '../../packages/server/src/money/engine.ts'
import { noFaults } from '../../packages/server/src/money/faults.ts'
import type { IntentKind } from '../../packages/server/src/money/intents/intents.ts'
import { createKinds } from '../../packages/server/src/money/intents/kinds.ts'
import { defaultMoneySettings } from '../../packages/server/src/money/money-deps.ts'
import { createRelayer } from '../../packages/server/src/money/sending/relayer.ts'
import { wallClock } from '../../packages/server/src/platform/clock/clock.ts'
import { lockDataDirectory } from '../../packages/server/src/platform/db/data-directory.ts'
import { createDatabase } from '../../packages/server/src/platform/db/database.ts'
import { startEmbeddedPostgres } from '../../packages/server/src/platform/db/embedded/embedded-postgres.ts'
import { migrate, migrationsDirectory } from '../../packages/server/src/platform/db/migrate.ts'
import { createIdSource } from '../../packages/server/src/platform/id/id.ts'
import { startEmbeddedChain } from '../../packages/server/src/ports/chain/embedded.ts'
import type { Hex } from '../../packages/server/src/ports/chain/port.ts'
import { GAS_LIMIT, planJobs } from './escrow-jobs.ts'

const log = pino({ level: 'warn' })

const Call = Type.Object({ data: Type.Unsafe<Hex>(Type.String()) })

export interface RelayerFigures {
  transactions: number
  /** From the stored intent to the mined block. */
  relayedPerSecond: number
  /** All of it: mined, read back, in the journal, and the intent settled. */
  settledPerSecond: number
  relayCpuMicros: number
}

/** Escrow jobs from deposit to release through the money engine, on a real database and the devnet. */
export async function measureRelayer({ jobs }: { jobs: number }): Promise<RelayerFigures> {
  const world = await openWorld()
  const { engine, db, relayAll } = world
  try {
    const { phases, heldMicro } = await planJobs(world, jobs)
    let relayMs = 0
    let settleMs = 0
    let relayCpuMicros = 0
    for (const [phase, calls] of phases.entries()) {
      await db.transaction(async (tx) => {
        for (const [index, { data }] of calls.entries()) {
          await engine.intents.create(tx, {
            kind: 'bench.call',
            key: `${phase}:${index}`,
            payload: { data },
            requestId: null,
          })
        }
      })
      const cpuBefore = process.cpuUsage()
      const startedMs = performance.now()
      await relayAll()
      const relayedMs = performance.now()
      const cpu = process.cpuUsage(cpuBefore)
      await engine.runUntilIdle()
      relayMs += relayedMs - startedMs
      settleMs += performance.now() - startedMs
      relayCpuMicros += cpu.user + cpu.system
    }
    const { pendingCount, submittedCount, blockNumber } = await engine.status()
    const left = await heldMicro(blockNumber ?? 0n)
    if (pendingCount + submittedCount > 0 || left !== 0n)
      throw new Error(`${pendingCount} + ${submittedCount} intents and ${left} micro-USDC are left`)
    const transactions = phases.flat().length
    return {
      transactions,
      relayedPerSecond: (transactions / relayMs) * 1000,
      settledPerSecond: (transactions / settleMs) * 1000,
      relayCpuMicros: relayCpuMicros / transactions,
    }
  } finally {
    await world.close()
  }
}

async function openWorld() {
  const directory = await mkdtemp('/tmp/relayer-bench-')
  await chmod(directory, 0o711)
  const dataDir = lockDataDirectory(directory)
  const postgres = await startEmbeddedPostgres({ dataDir, log })
  const { connection } = postgres
  await migrate({ connection, directory: migrationsDirectory, log })
  const db = createDatabase({ connection, poolSize: 10, log })
  const embedded = await startEmbeddedChain({ dataDir: directory, seed: 'be'.repeat(32) })
  const { chain } = embedded
  const kind: IntentKind<Static<typeof Call>> = {
    kind: 'bench.call',
    sender: 'operator',
    payload: Call,
    finality: 'confirmed',
    gasLimit: GAS_LIMIT,
    prepare: async ({ data }) => ({
      to: chain.checksumAddress(chain.facts.contracts.escrow),
      data,
      value: 0n,
    }),
  }
  const alert = (message: string): void => console.error(message)
  const engine = createMoneyEngine({ db, chain, log, alert, newId: createIdSource(wallClock) })
  engine.intents.register(kind)
  const kinds = createKinds()
  kinds.register(kind)
  const relayer = createRelayer({
    db,
    chain,
    kinds,
    log,
    alert,
    faults: noFaults,
    settings: defaultMoneySettings,
  })
  return {
    db,
    chain,
    engine,
    sandbox: embedded.sandbox,
    async relayAll(): Promise<void> {
      while ((await relayer.submit('operator')) > 0);
    },
    async close(): Promise<void> {
      await db.close()
      await embedded.close()
      await postgres.stop()
      dataDir.release()
      await rm(directory, { recursive: true })
    },
  }
}
