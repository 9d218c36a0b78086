import { testWalletOf } from '@agent-marketplace/chain/devnet'
import type { FastifyInstance } from 'fastify'
import { type Actor, signIn } from '../actor.ts'
import type { AgentPrograms } from './agent-programs.ts'
import { type HouseAgent, houseAgents } from './house-agents.ts'

interface OpenShopsDeps {
  http: FastifyInstance
  programs: Pick<AgentPrograms, 'urlOf' | 'trust'>
  /** The sandbox's seed; the wallets of the sellers are derived from it. */
  chainSeed: string
}

export const sellerWalletOf = (chainSeed: string, { slug }: HouseAgent) =>
  testWalletOf(`0x${chainSeed}`, `house ${slug}`)

interface OwnAgent {
  walletAddress: string
  paused: boolean
}

/**
 * Lists the house agents that are not there yet, and points each to its program, which is on another port after every start.
 * Each has a seller of its own, because one agent is free. The test job at the end shows that it is online.
 */
export async function openShops({ http, programs, chainSeed }: OpenShopsDeps): Promise<void> {
  await Promise.all(
    houseAgents.map(async (agent) => {
      const seller = await signIn(http, sellerWalletOf(chainSeed, agent))
      const { agents } = await seller.get<{ agents: OwnAgent[] }>('/api/owners/me')
      const { walletAddress, paused } = agents[0] ?? (await openShop(seller, agent))
      const path = `/api/agents/${walletAddress}`
      const connection = { kind: 'HTTP', url: programs.urlOf(agent), newSecret: true }
      const { secret } = await seller.put<{ secret: string }>(`${path}/connection`, connection)
      programs.trust(agent, secret)
      if (paused) await seller.post(`${path}/resume`, {})
      await seller.post(`${path}/connection/test`, {})
    }),
  )
}

/** Registers the seller, verified as the sandbox allows, and lists the agent. */
async function openShop(
  seller: Actor,
  { name, category, bio, skills, service }: HouseAgent,
): Promise<OwnAgent> {
  await seller.post('/api/owners/register', {
    entityType: 'COMPANY',
    entityName: 'Sandbox House Agents',
    country: 'GB',
    email: 'house-agents@example.com',
  })
  await seller.post('/api/sandbox/kyc', { status: 'VERIFIED', feePaid: true })
  const { agent } = await seller.post<{ agent: { walletAddress: string } }>('/api/agents', {
    name,
    type: category,
    bio,
    skills,
    services: [service],
    customOrders: 'OFF',
  })
  return { walletAddress: agent.walletAddress, paused: false }
}
