import { signTransaction } from '@agent-marketplace/chain'
import { pino } from 'pino'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { ChainPort, PreparedCall } from '../../ports/chain/port.ts'
import type { TestDatabase } from '../../testing/test-database.ts'
import { alertMessages } from '../audit/alert.ts'
import { createMoneyEngine, type MoneyEngine, type MoneyEngineOptions } from '../engine.ts'
import type { MoneySettings } from '../money-deps.ts'
import { type ChaosChain, startChaosChain } from './chaos-chain.ts'
import { createEffectsTable, registerTestKinds } from './test-kinds.ts'

export interface Alarm {
  message: string
  details: Record<string, unknown>
}

/** A database, a chain that can misbehave, and as many engines on them as a test likes. */
export interface MoneyWorld extends TestDatabase {
  chaos: ChaosChain
  alarms: Alarm[]
  /** One more worker on the same database and chain, with the test's kinds registered. */
  startEngine(options?: {
    faults?: MoneyEngineOptions['faults']
    settings?: Partial<MoneySettings>
    jobIdOf?: MoneyEngineOptions['jobIdOf']
    /** Instead of the world's own. */
    chain?: ChainPort
  }): MoneyEngine
  /** What users do by themselves, from their own wallets; returns the transaction's hash. */
  execute(from: PrivateKeyAccount, call: PreparedCall): Promise<string>
  close(): Promise<void>
}

/** No pauses: what would be due later is due at once, so that no test waits. */
export const impatient: Partial<MoneySettings> = {
  resendAfterSeconds: 0,
  replaceAfterSeconds: 0,
  foreignAfterSeconds: 0,
}

/** On a database of the caller's, which is closed together with the world. */
export async function createMoneyWorldOn(database: TestDatabase): Promise<MoneyWorld> {
  const chaos = await startChaosChain()
  const alarms: Alarm[] = []
  let ids = 0
  const newId = (): string => {
    ids += 1
    return `i${ids.toString().padStart(8, '0')}`
  }
  await createEffectsTable(database.db)
  return {
    ...database,
    chaos,
    alarms,
    startEngine({ faults, settings, jobIdOf, chain = chaos.chain } = {}) {
      const engine = createMoneyEngine({
        db: database.db,
        chain,
        log: pino({ level: 'silent' }),
        alert: (name, details) => void alarms.push({ message: alertMessages[name], details }),
        newId,
        ...(faults ? { faults } : {}),
        ...(jobIdOf ? { jobIdOf } : {}),
        settings: { ...impatient, ...settings },
      })
      registerTestKinds(engine, chaos)
      return engine
    },
    async execute(from, call) {
      const { client } = chaos
      const { rawTransaction, hash } = await signTransaction(from, {
        call,
        chainId: chaos.chain.facts.chainId,
        nonce: await client.getTransactionCount({ address: from.address, blockTag: 'pending' }),
        gas: 1_000_000n,
        fees: { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n },
      })
      await client.sendRawTransaction({ serializedTransaction: rawTransaction })
      return hash
    },
    async close() {
      await database.close()
      await chaos.close()
    },
  }
}

/** A key of its own for each number, the same in every run. */
export const testAccount = (index: number): PrivateKeyAccount =>
  privateKeyToAccount(`0x${(0xbeef_0000n + BigInt(index)).toString(16).padStart(64, '0')}`)
