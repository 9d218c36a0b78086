import type { AccountStatus, KycStatus } from '@agent-marketplace/contract'
import { sql } from '../../../platform/db/sql.ts'
import type { WalletsPort } from '../../../ports/wallets/port.ts'
import { adminWallet, startWorld, type WorldOptions } from '../../../testing/start-world.ts'
import { createTestClock } from '../../../testing/test-clock.ts'

export const formA = {
  name: 'Ledger Lark',
  description: 'Reconciles on-chain payments with your books.',
  category: 'Finance',
  hourlyRateUsdc: '25000000',
}

export const formB = {
  name: 'Solidity Swan',
  type: 'security',
  bio: 'Reads contracts line by line.',
  skills: ['Solidity', 'audits'],
  services: [
    { name: 'Full audit', priceUSDC: '900000000', deliveryTime: 72, x402Enabled: false },
    { name: 'Quick look', priceUSDC: '40000000' },
  ],
  guardrails: { sessionCapUsdc: '500000000', perTxLimitUsdc: '100000000', allowedSkills: ['audits'] },
}

export interface TestSeller {
  ownerId: string
  walletAddress: string
  headers: { authorization: string }
}

interface NewSeller {
  /** How many agents may run at once; more than one are paid for. */
  quota?: number
  kycStatus?: KycStatus
  kycFeePaid?: boolean
  accountStatus?: AccountStatus
}

interface AgentsOptions extends Pick<WorldOptions, 'chain' | 'ports'> {
  approvesItself?: boolean
}

/** A world in which sellers make agents. Business time is the test's, unless the chain is given: then it is the chain's. */
export async function startAgents({ approvesItself = true, ports, chain }: AgentsOptions = {}) {
  const clock = createTestClock()
  const wallets: { embedded?: WalletsPort; port?: WalletsPort | undefined; made: string[] } = { made: [] }
  const world = await startWorld({
    ...(chain ? { chain } : { clock }),
    environment: {
      PUBLIC_URL: 'https://market.example',
      AGENT_APPROVAL: approvesItself ? 'auto' : 'manual',
    },
    ports(own) {
      wallets.embedded = own.wallets
      return {
        wallets: {
          ...own.wallets,
          provision(request) {
            wallets.made.push(request.agentId)
            return (wallets.port ?? own.wallets).provision(request)
          },
          updateLimits: (request) => (wallets.port ?? own.wallets).updateLimits(request),
        },
        ...ports?.(own),
      }
    },
  })
  const { embedded } = wallets
  if (!embedded) throw new Error('the world has opened no wallets')
  const { db, http } = world
  const { contracts, operator, chainId } = world.chain.facts

  const send = (
    method: 'GET' | 'POST' | 'PATCH',
    url: string,
    headers: Record<string, string> = {},
    payload?: object,
  ) => http.inject({ method, url, headers, ...(payload && { payload }) })

  return {
    ...world,
    clock,
    /** The provider of wallets, in whose place a test may put another. */
    embedded,
    wallets,
    registryReference: `eip155:${chainId}:${contracts.agentRegistry}`,
    operatorReference: `eip155:${chainId}:${operator}`,
    send,

    async newSeller({ quota = 1, ...facts }: NewSeller = {}): Promise<TestSeller> {
      const owner = await world.newOwner({ kycStatus: 'VERIFIED', kycFeePaid: true, ...facts })
      if (quota > 1) await world.openPlan(owner.ownerId, 'AGENT_QUOTA', quota)
      const { ownerId, wallet, headers } = owner
      return { ownerId, walletAddress: wallet.address, headers }
    },

    create: (seller: TestSeller, payload: object = formB, headers: Record<string, string> = {}) =>
      send('POST', '/api/agents', { ...seller.headers, ...headers }, payload),

    /** An admin decides on an agent. */
    async judge(agentId: string, verdict: 'approve' | 'reject', reason = 'Copied.') {
      const { headers } = await world.newOwner({ wallet: adminWallet })
      return send('POST', `/api/admin/agents/${agentId}/${verdict}`, headers, { reason })
    },

    /** Runs the engine until the agent is in the registry; returns its number there. */
    async register(agentId: string): Promise<bigint | null> {
      await world.runUntilIdle()
      const { onChainId } = await db.one<{ onChainId: bigint | null }>(
        sql`select on_chain_agent_id as "onChainId" from agents where id = ${agentId}`,
      )
      return onChainId
    },
  }
}

export type TestAgents = Awaited<ReturnType<typeof startAgents>>
