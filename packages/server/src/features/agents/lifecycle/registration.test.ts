import { afterAll, expect, test } from 'vitest'
import { formB, startAgents } from '../testing/test-agents.ts'

const api = await startAgents()
afterAll(() => api.close())

async function newAgent() {
  const seller = await api.newSeller()
  const { id, walletAddress } = (await api.create(seller, formB)).json().data
  const intent = await api.intents.find(api.db, `agent.register:${id}`)
  if (!intent) throw new Error('the registration was not ordered')
  return { seller, id, walletAddress, intent, url: `/api/agents/${walletAddress}` }
}

const textOf = (data: string) => Buffer.from(data.slice(2), 'hex').toString()

test('the registration points at the agent’s own file', async () => {
  const { intent, walletAddress } = await newAgent()
  const call = await api.kinds.of('agent.register').prepare(intent)
  expect(textOf(call.data)).toBe(`https://market.example/api/agents/${walletAddress}/registration.json`)
})

test('once registered the agent approves itself, and its token goes to the seller', async () => {
  const { seller, id, url } = await newAgent()
  const onChainId = await api.settle(id)
  const { agent } = (await api.send('GET', url)).json().data
  expect(agent).toMatchObject({
    approvalStatus: 'APPROVED',
    reputation: { onChain: { agentId: String(onChainId) } },
  })
  expect((await api.told(seller.ownerId)).map(({ type }) => type)).toEqual([
    'WALLET_PROVISIONED',
    'AGENT_APPROVED',
  ])
  const handOver = await api.intents.find(api.db, `agent.hand-over:${id}:${onChainId}`)
  if (!handOver) throw new Error('the token was not handed over')
  const call = await api.kinds.of('agent.hand-over').prepare(handOver)
  expect(textOf(call.data)).toBe(`${onChainId} ${seller.walletAddress}`)
})

test('a reorganisation takes the number away, and the next block gives another', async () => {
  const { id, intent, url } = await newAgent()
  const first = await api.settle(id)
  await api.db.transaction((tx) => api.kinds.of('agent.register').onReverted(tx, intent))
  const onChain = async () => (await api.send('GET', url)).json().data.agent.reputation.onChain.agentId
  expect(await onChain()).toBeNull()
  const second = await api.settle(id)
  expect(second).not.toBe(first)
  expect(await onChain()).toBe(String(second))
})

test('a registration that can never succeed is reported to the owner', async () => {
  const { seller, intent } = await newAgent()
  await api.db.transaction((tx) => api.kinds.of('agent.register').onRejected(tx, intent, 'out of gas'))
  expect((await api.told(seller.ownerId)).at(-1)).toMatchObject({ type: 'SYSTEM_ALERT' })
})

test('an agent that is made while another of its owner is out of lists comes into them with that one', async () => {
  const seller = await api.newSeller({ quota: 2 })
  const { id: first } = (await api.create(seller)).json().data
  await api.settle(first)
  const day = 24 * 3600 * 1000
  const follow = (dueDays: number[]) =>
    api.db.transaction((tx) =>
      api.agents.followUndelivered(tx, first, async () => dueDays.map((days) => new Date(days * day))),
    )
  await follow([1, 2, 3])
  const { id: second, walletAddress } = (await api.create(seller)).json().data
  await api.settle(second)
  const listing = async () =>
    (await api.send('GET', `/api/agents/${walletAddress}`, seller.headers)).json().data.agent.listing
  expect(await listing()).toEqual({ visible: false, reasons: ['UNDELIVERED_JOBS'] })
  await follow([1])
  expect(await listing()).toEqual({ visible: true, reasons: [] })
})
