import {
  checksumAddress,
  getAgentRegistration,
  prepareRegisterAgent,
  prepareTransferAgent,
} from '@agent-marketplace/chain'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { createMoneyEngine, type MoneyEngine } from '../../../money/engine.ts'
import { startChaosChain } from '../../../money/testing/chaos-chain.ts'
import { startAgents } from '../testing/test-agents.ts'

const chaos = await startChaosChain()
const registry = chaos.addresses.agentRegistry
const operator = chaos.chain.relay.addressOf('operator')
const engines: MoneyEngine[] = []

const api = await startAgents({
  money({ db, newId }) {
    const engine = createMoneyEngine({
      db,
      newId,
      chain: chaos.chain,
      log: pino({ level: 'silent' }),
      alert: () => undefined,
      settings: { leaseSeconds: 0, resendAfterSeconds: 0 },
    })
    engines.push(engine)
    return {
      intents: engine.intents,
      registry: {
        reference: `eip155:31337:${registry}`,
        operator: `eip155:31337:${operator}`,
        register: ({ agentUri }) => prepareRegisterAgent({ registry, agentUri }),
        transfer: ({ onChainAgentId, to }) =>
          prepareTransferAgent({
            registry,
            agentId: onChainAgentId,
            from: operator,
            to: checksumAddress(to),
          }),
      },
    }
  },
})
afterAll(async () => {
  await api.close()
  await chaos.close()
})

const runEngine = async () => {
  for (const engine of engines) await engine.runUntilIdle()
}

test('agents are registered on the chain, approve themselves, and belong to their sellers', async () => {
  const sellers = await Promise.all([api.newSeller(), api.newSeller(), api.newSeller()])
  const made = await Promise.all(
    sellers.map(async (seller) => ({ seller, wallet: (await api.create(seller)).json().data.walletAddress })),
  )
  await runEngine()
  for (const { seller, wallet } of made) {
    const url = `/api/agents/${wallet}`
    const { agent } = (await api.send('GET', url)).json().data
    expect(agent).toMatchObject({ approvalStatus: 'APPROVED', listing: { visible: true } })
    const agentId = BigInt(agent.reputation.onChain.agentId)
    expect(await getAgentRegistration(chaos.client, { registry, agentId })).toEqual({
      owner: checksumAddress(seller.walletAddress),
      uri: `https://market.example${url}/registration.json`,
      wallet: undefined,
    })
    const file = (await api.send('GET', `${url}/registration.json`)).json()
    expect(file.registrations).toEqual([
      { agentId: Number(agentId), agentRegistry: `eip155:31337:${registry}` },
    ])
  }
})

test('a reorganisation that drops the registration ends with the agent registered once more', async () => {
  const seller = await api.newSeller()
  const { walletAddress } = (await api.create(seller)).json().data
  await runEngine()
  await chaos.reorganise(2, () => false)
  await runEngine()
  await chaos.mine()
  await runEngine()
  const { agent } = (await api.send('GET', `/api/agents/${walletAddress}`)).json().data
  const agentId = BigInt(agent.reputation.onChain.agentId)
  const registered = await getAgentRegistration(chaos.client, { registry, agentId })
  expect(registered).toMatchObject({
    owner: checksumAddress(seller.walletAddress),
    uri: `https://market.example/api/agents/${walletAddress}/registration.json`,
  })
})
