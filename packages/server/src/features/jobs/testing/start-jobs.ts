import { startChaosChain } from '../../../money/testing/chaos-chain.ts'
import { sql } from '../../../platform/db/sql.ts'
import { PATIENCE_MS } from '../../../testing/patience.ts'
import { newValidity } from '../../../testing/sign-payment.ts'
import { adminWallet, startWorld, type WorldOverrides } from '../../../testing/start-world.ts'
import { uncounted } from '../../../testing/uncounted.ts'
import type { NewOwner, WorldAgent, WorldOwner } from '../../../testing/world/world-people.ts'
import { findAgentsByWallet } from '../../agents/lookup-store.ts'

/** What the service pays for one owner in an hour. */
export const OWNER_GAS = 1_000_000_000n

export type TestOwner = WorldOwner
export type TestAgent = WorldAgent

/** What falls due without anybody asking. */
export const dueTicks = [
  'jobs-funding',
  'jobs-review',
  'jobs-dispute',
  'jobs-deadline',
  'jobs-undelivered',
  'held-payments',
  'withdrawals',
]

/** A world on a chain that can reorganise. The business clock is the chain's until a test sets it wrong. */
export async function startJobs({ environment, ports, ...overrides }: WorldOverrides = {}) {
  const chaos = await startChaosChain()
  let aheadSeconds = 0
  const world = await startWorld({
    chain: chaos,
    clock: { now: () => new Date((chaos.now() + aheadSeconds) * 1000) },
    poolSize: 30,
    settlementWaitMs: PATIENCE_MS,
    moneyOptions: { settings: { resendAfterSeconds: 0, replaceAfterSeconds: 0, foreignAfterSeconds: 0 } },
    ...overrides,
    environment: {
      RATE_LIMITS: 'on',
      GAS_BUDGET_OWNER: String(OWNER_GAS),
      GAS_BUDGET_PLATFORM: String(1_000n * OWNER_GAS),
      MAX_UNPAID_JOBS: '0',
      MAX_UNPAID_JOBS_PER_SELLER: '0',
      ...environment,
    },
    ports: (own) => ({ limiter: uncounted, ...ports?.(own) }),
  })
  const { db, chain, deps, execute, money } = world

  async function agentRow(wallet: string) {
    const [row] = await findAgentsByWallet(db, [wallet.toLowerCase()])
    if (!row) throw new Error(`no agent ${wallet}`)
    return row
  }

  return {
    ...world,
    engine: money,
    chaos,
    agentRow,

    newAdmin: (facts: NewOwner = {}) => world.newOwner({ ...facts, wallet: adminWallet }),

    advance: (seconds: number) => chaos.mine(seconds),
    /** The clock of this machine goes wrong; the chain's does not. */
    setClockAhead(seconds: number): void {
      aheadSeconds = seconds
    },

    /** Reads the chain, as the indexer does all the time, then does all that falls due by the books. */
    async runTicks(): Promise<void> {
      await money.readOn()
      await world.tick(...dueTicks)
    },

    amlFlags: () =>
      db.rows<{ jobId: string; ownerId: string; amountMicro: bigint }>(sql`
        select job_id, owner_id, amount_micro from aml_flags order by created_at`),

    /** All that an agent's wallet holds leaves it, past the service; the gas is paid by its owner. */
    async drain({ wallet, walletId, owner }: TestAgent, to: string): Promise<void> {
      const { usdc, contracts, chainId } = chain.facts
      await world.give(owner.wallet.address, 1n)
      const authorization = {
        from: chain.checksumAddress(wallet),
        to: chain.checksumAddress(to),
        value: await chain.usdc.balanceOf(wallet),
        ...newValidity(world.clock),
      }
      const domain = { name: usdc.name, version: usdc.version, chainId, verifyingContract: contracts.usdc }
      const signature = await deps.wallets.signTransfer({
        walletId,
        authorization: { domain, ...authorization },
      })
      await execute(owner.wallet, chain.usdc.transferWithAuthorization({ authorization, signature }))
    },

    async close(): Promise<void> {
      await world.close()
      await chaos.close()
    },
  }
}

export type TestJobs = Awaited<ReturnType<typeof startJobs>>
