import { type Address, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestDevnet, type TestDevnet, testAccount } from '../../testing/startTestDevnet.ts'
import { buildAgentWalletSet } from '../../typed-data/buildAgentWalletSet.ts'
import { simulateCall } from '../transactions/simulateCall.ts'
import { decodeAgentRegistryEvents } from './decodeAgentRegistryEvents.ts'
import { decodeReputationEvents } from './decodeReputationEvents.ts'
import { getAgentRegistration } from './getAgentRegistration.ts'
import { getAgentRegistryEvents } from './getAgentRegistryEvents.ts'
import { getReputationEvents } from './getReputationEvents.ts'
import { getReputationSummary } from './getReputationSummary.ts'
import { prepareAppendResponse } from './prepareAppendResponse.ts'
import { prepareGiveFeedback } from './prepareGiveFeedback.ts'
import { prepareRegisterAgent } from './prepareRegisterAgent.ts'
import { prepareRevokeFeedback } from './prepareRevokeFeedback.ts'
import { prepareSetAgentUri } from './prepareSetAgentUri.ts'
import { prepareSetAgentWallet } from './prepareSetAgentWallet.ts'
import { prepareTransferAgent } from './prepareTransferAgent.ts'

const owner = testAccount(1)
const wallet = testAccount(2)
const reviewers = [testAccount(3), testAccount(4)] as const

let running: TestDevnet
let registry: Address
let reputation: Address
beforeAll(async () => {
  running = await startTestDevnet()
  registry = running.devnet.addresses.agentRegistry
  reputation = running.devnet.addresses.reputationRegistry
})
afterAll(() => running.stop())

test('an agent is registered, moved, given a wallet with its consent, and handed on', async () => {
  const { client, execute } = running
  expect(await getAgentRegistration(client, { registry, agentId: 0n })).toBeUndefined()
  const registered = await execute(
    owner,
    prepareRegisterAgent({
      registry,
      agentUri: 'ipfs://one',
      metadata: [{ metadataKey: 'k', metadataValue: '0x01' }],
    }),
  )
  const events = decodeAgentRegistryEvents({ registry, logs: registered.logs })
  expect(events).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        name: 'Registered',
        agentId: 0n,
        owner: owner.address,
        agentUri: 'ipfs://one',
      }),
      expect.objectContaining({ name: 'Transferred', agentId: 0n, from: zeroAddress, to: owner.address }),
    ]),
  )
  const agentId = 0n
  expect(await getAgentRegistration(client, { registry, agentId })).toEqual({
    owner: owner.address,
    uri: 'ipfs://one',
    wallet: owner.address,
  })

  await execute(owner, prepareSetAgentUri({ registry, agentId, agentUri: 'ipfs://two' }))
  const deadline = BigInt(running.devnet.now() + 200)
  const consent = buildAgentWalletSet({
    chainId: 31337,
    registry,
    agentId,
    newWallet: wallet.address,
    owner: owner.address,
    deadline,
  })
  const signature = await wallet.signTypedData(consent)
  const forged = await owner.signTypedData(consent)
  const set = { registry, agentId, newWallet: wallet.address, deadline }
  expect(
    (
      await simulateCall(client, {
        from: owner.address,
        call: prepareSetAgentWallet({ ...set, signature: forged }),
      })
    ).status,
  ).toBe('refused')
  await execute(owner, prepareSetAgentWallet({ ...set, signature }))
  expect(await getAgentRegistration(client, { registry, agentId })).toEqual({
    owner: owner.address,
    uri: 'ipfs://two',
    wallet: wallet.address,
  })

  await execute(owner, prepareTransferAgent({ registry, agentId, from: owner.address, to: wallet.address }))
  expect(await getAgentRegistration(client, { registry, agentId })).toEqual({
    owner: wallet.address,
    uri: 'ipfs://two',
    wallet: undefined,
  })
  const toBlock = await client.getBlockNumber()
  const names = (await getAgentRegistryEvents(client, { registry, fromBlock: 0n, toBlock })).map(
    ({ name }) => name,
  )
  expect(names.toSorted()).toEqual(['Registered', 'Transferred', 'Transferred', 'UriUpdated'])
})

test('ratings are given, averaged, replied to and revoked', async () => {
  const { client, execute } = running
  const registered = await execute(owner, prepareRegisterAgent({ registry, agentUri: 'ipfs://rated' }))
  const agentId = decodeAgentRegistryEvents({ registry, logs: registered.logs })[0]?.agentId ?? -1n
  const subject = { registry: reputation, agentId }
  expect(await getReputationSummary(client, subject)).toEqual({ count: 0, value: 0n, valueDecimals: 0 })

  const rate = (value: bigint) =>
    prepareGiveFeedback({
      registry: reputation,
      feedback: { agentId, value, valueDecimals: 0, tag1: 'starred', feedbackUri: 'ipfs://why' },
    })
  expect(await simulateCall(client, { from: owner.address, call: rate(100n) })).toMatchObject({
    status: 'refused',
    reason: 'Self-feedback not allowed',
  })
  await execute(reviewers[0], rate(100n))
  const given = await execute(reviewers[1], rate(60n))
  expect(decodeReputationEvents({ registry: reputation, logs: given.logs })).toMatchObject([
    {
      name: 'FeedbackGiven',
      agentId,
      reviewer: reviewers[1].address,
      feedbackIndex: 1n,
      value: 60n,
      tag1: 'starred',
    },
  ])
  expect(await getReputationSummary(client, subject)).toEqual({ count: 2, value: 80n, valueDecimals: 0 })
  expect(await getReputationSummary(client, { ...subject, tag1: 'uptime' })).toMatchObject({ count: 0 })
  expect(await getReputationSummary(client, { ...subject, reviewers: [reviewers[0].address] })).toMatchObject(
    {
      count: 1,
      value: 100n,
    },
  )

  const feedback = { registry: reputation, agentId, feedbackIndex: 1n }
  await execute(
    owner,
    prepareAppendResponse({ ...feedback, reviewer: reviewers[1].address, responseUri: 'ipfs://thanks' }),
  )
  await execute(reviewers[1], prepareRevokeFeedback(feedback))
  expect(await getReputationSummary(client, subject)).toEqual({ count: 1, value: 100n, valueDecimals: 0 })
  const toBlock = await client.getBlockNumber()
  const events = await getReputationEvents(client, { registry: reputation, fromBlock: 0n, toBlock })
  expect(events.map(({ name }) => name)).toEqual([
    'FeedbackGiven',
    'FeedbackGiven',
    'ResponseAppended',
    'FeedbackRevoked',
  ])
})
