import { prepareTransfer, usdcAbi } from '@agent-marketplace/chain'
import { encodeFunctionData } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { FaultPoint } from '../../../money/faults.ts'
import { startChaosChain } from '../../../money/testing/chaos-chain.ts'
import { sql } from '../../../platform/db/sql.ts'
import { crashOnce } from '../../../testing/processes/crash-once.ts'
import { startWorld, type WorldOverrides } from '../../../testing/start-world.ts'
import type { NewAgent, NewOwner, WorldOwner } from '../../../testing/world/world-people.ts'

/** A world on a chain that can reorganise, with sellers who withdraw. */
export async function startWithdrawals(overrides: WorldOverrides = {}) {
  const chaos = await startChaosChain()
  const world = await startWorld({
    chain: chaos,
    moneyOptions: { settings: { leaseSeconds: 0, resendAfterSeconds: 0, replaceAfterSeconds: 600 } },
    ...overrides,
  })
  const { db, http, deps, money, execute } = world

  // The faucet counts its nonces itself, and the same key is the token's owner here: so it gives once, to a bank.
  const bank = privateKeyToAccount(`0x${'b4'.repeat(32)}`)
  await world.give(bank.address, 20_000_000_000n)
  const fund = (wallet: string, amountMicro: bigint) => {
    const to = deps.chain.checksumAddress(wallet)
    return execute(bank, prepareTransfer({ usdc: chaos.addresses.usdc, to, amountMicro }))
  }

  return {
    ...world,
    chaos,
    bank,
    fund,
    engine: money,

    /** A worker as a process has it: throwing one away and starting another is a restart. */
    startEngine: async (overrides: WorldOverrides = {}) => (await world.startWorker(overrides)).money,

    /** A worker that dies at this point. */
    async startDoomed(point: FaultPoint) {
      const { money } = await world.startWorker({ moneyOptions: { faults: crashOnce(point) } })
      return money
    },

    followUp: () => world.tick('withdrawals'),

    async newSeller(balanceMicro: bigint, guardrails: NewAgent = {}, facts: NewOwner = {}) {
      const owner = await world.newOwner({ kycStatus: 'VERIFIED', ...facts })
      const agent = await this.newAgent(owner, balanceMicro, guardrails)
      return { ...owner, address: owner.wallet.address, agent }
    },

    /** An agent whose wallet holds this much. */
    async newAgent(owner: WorldOwner, balanceMicro: bigint, guardrails: NewAgent = {}) {
      const agent = await world.newAgent(owner, guardrails)
      if (balanceMicro > 0n) await fund(agent.wallet, balanceMicro)
      return agent
    },

    limitWallet: (walletId: string, perTxLimitMicro: bigint) =>
      deps.wallets.updateLimits({ walletId, limits: { perTxLimitMicro } }),

    withdraw(headers: Record<string, string>, agentId: string, amount: bigint | string) {
      const payload = { agentId, amount: String(amount) }
      return http.inject({ method: 'POST', url: '/api/owners/withdrawals', headers, payload })
    },

    read: async (headers: Record<string, string>, id: string) =>
      (await http.inject({ method: 'GET', url: `/api/owners/withdrawals/${id}`, headers })).json().data,

    /** The issuer of USDC does something to it. */
    issuer: (
      deed:
        | { functionName: 'pause' | 'unpause' }
        | { functionName: 'blacklist' | 'unBlacklist'; args: [`0x${string}`] },
    ) => {
      const data = encodeFunctionData({ abi: usdcAbi, ...deed })
      return execute(chaos.roles.faucet, { to: chaos.addresses.usdc, data, value: 0n })
    },

    journalOf: (agentId: string) =>
      db.rows<{ account: string; amountMicro: bigint }>(sql`
        select p.account, sum(p.amount_micro) as "amountMicro"
        from journal_postings p join journal_entries e on e.id = p.entry_id
        where e.agent_id = ${agentId} group by p.account order by sum(p.amount_micro)`),

    async close() {
      await world.close()
      await chaos.close()
    },
  }
}
