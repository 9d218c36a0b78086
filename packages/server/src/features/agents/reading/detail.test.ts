import { formMediaTypes } from '@agent-marketplace/contract'
import { afterAll, describe, expect, test } from 'vitest'
import { sql } from '../../../platform/db/sql.ts'
import { adminWallet } from '../../../testing/start-world.ts'
import { formA, formB, startAgents } from '../testing/start-agents.ts'
import * as totals from '../totals.ts'

const api = await startAgents()
afterAll(() => api.close())

async function newAgent(payload: object = formB) {
  const seller = await api.newSeller()
  const { id, walletAddress } = (await api.create(seller, payload)).json().data
  return { seller, id, url: `/api/agents/${walletAddress}`, walletAddress }
}

describe('200', () => {
  test('a stranger gets both forms, and nothing private', async () => {
    const { seller, id, url, walletAddress } = await newAgent()
    await api.register(id)
    const response = await api.send('GET', url)
    expect(response.statusCode).toBe(200)
    const { agent, ...plain } = response.json().data
    expect(plain).toEqual({
      id,
      walletAddress,
      name: 'Solidity Swan',
      description: 'Reads contracts line by line.',
      category: 'security',
      avatarUrl: null,
      hourlyRateUsdc: '40000000',
      averageRating: 0,
      totalJobs: 0,
      approvalStatus: 'APPROVED',
      undeliveredJobs: 0,
      online: null,
      lastSeenAt: null,
      medianFirstProgressSeconds: null,
    })
    expect(agent).toMatchObject({
      ...plain,
      type: 'security',
      bio: 'Reads contracts line by line.',
      skills: ['Solidity', 'audits'],
      totalEarned: '0',
      premium: false,
      paused: false,
      listing: { visible: true, reasons: [] },
      reviews: [],
      portfolio: [],
    })
    expect(agent.services).toMatchObject([
      { name: 'Full audit', priceUSDC: '900000000', deliveryTime: 72, x402Enabled: false },
      { name: 'Quick look', priceUSDC: '40000000', deliveryTime: 24, x402Enabled: true },
    ])
    expect(agent.reputation.onChain).toMatchObject({ registry: api.registryReference, feedbackCount: 0 })
    expect(agent).not.toHaveProperty('guardrails')
    expect(response.body).not.toContain(seller.ownerId)
    expect(response.body).not.toContain('providerWalletId')
    expect((await api.send('GET', url, { accept: formMediaTypes.a })).json()).toEqual({ data: plain })
    expect((await api.send('GET', url, { accept: formMediaTypes.b })).json()).toEqual({ data: { agent } })
  })

  test.each([
    { entityType: 'LLC', kycStatus: 'VERIFIED', verifiedBusiness: 'Swan Audits Ltd' },
    { entityType: 'LLC', kycStatus: 'PENDING', verifiedBusiness: null },
    { entityType: 'LLC', kycStatus: 'REJECTED', verifiedBusiness: null },
    { entityType: 'INDIVIDUAL', kycStatus: 'VERIFIED', verifiedBusiness: null },
    { entityType: 'individual', kycStatus: 'VERIFIED', verifiedBusiness: null },
  ])(
    'of a seller that is $entityType and $kycStatus, the verified business is $verifiedBusiness',
    async (facts) => {
      const { seller, id, url } = await newAgent()
      await api.register(id)
      await api.db.run(sql`
      update owners set entity_type = ${facts.entityType}, entity_name = 'Swan Audits Ltd', kyc_status = ${facts.kycStatus}
      where id = ${seller.ownerId}`)
      const detail = (await api.send('GET', url)).json().data.agent
      const found = (await api.send('GET', `/api/agents/search?q=Swan&sort=newest&limit=50`)).json().data
        .agents
      const listed = found.find((agent: { id: string }) => agent.id === id)
      expect([detail, listed].map((agent) => agent.verifiedBusiness)).toEqual([
        facts.verifiedBusiness,
        facts.verifiedBusiness,
      ])
      // The entry in the registry is a mark of its own, for verified and unverified sellers alike.
      expect(detail.agentId).not.toBeNull()
    },
  )

  test('in any letter case', async () => {
    const { url, walletAddress } = await newAgent()
    for (const spelled of [url.toLowerCase(), `/api/agents/0x${walletAddress.slice(2).toUpperCase()}`]) {
      const response = await api.send('GET', spelled)
      expect([response.statusCode, response.json().data.walletAddress]).toEqual([200, walletAddress])
    }
  })

  test('the owner and admins also see guardrails, and why it is not listed', async () => {
    const { seller, id, url } = await newAgent()
    const admin = await api.newOwner({ wallet: adminWallet })
    await api.judge(id, 'reject', 'No such skill.')
    await api.send('POST', `${url}/pause`, seller.headers)
    for (const { headers } of [seller, admin]) {
      expect((await api.send('GET', url, headers)).json().data.agent).toMatchObject({
        guardrails: { sessionCapUsdc: '500000000', perTxLimitUsdc: '100000000', allowedSkills: ['audits'] },
        listing: { visible: false, reasons: ['REJECTED', 'PAUSED_BY_OWNER'] },
        rejectionReason: 'No such skill.',
        paused: true,
      })
    }
    const stranger = await api.newSeller()
    for (const headers of [{}, stranger.headers]) {
      const { agent } = (await api.send('GET', url, headers)).json().data
      expect(agent).toMatchObject({
        listing: { visible: false, reasons: [] },
        rejectionReason: null,
        custody: { isTee: false, statement: expect.any(String) },
      })
      expect(agent).not.toHaveProperty('guardrails')
    }
  })

  test('totals show, with the arithmetic behind them', async () => {
    const { id, url } = await newAgent()
    await api.db.transaction(async (tx) => {
      const job = {
        jobId: id,
        agentId: id,
        outcome: 'COMPLETED',
        volumeMicro: 5_000_000n,
        earnedMicro: 4_900_000n,
      } as const
      await totals.addJobToTotals(tx, { ...job, counts: true })
      await totals.addJobToTotals(tx, { ...job, counts: false })
      await totals.addJobToTotals(tx, { ...job, outcome: 'CANCELLED', counts: true, earnedMicro: 0n })
      await tx.run(sql`
        update agents set rating_counts = '{0,0,0,1,1}', rating_sum = 9, review_count = 2 where id = ${id}`)
      await totals.addDisputeToTotals(tx, id)
      await totals.addFeedbackToTotals(tx, id)
      await totals.addPaymentToTotals(tx, { agentId: id, earnedMicro: 7n })
    })
    const { agent } = (await api.send('GET', url)).json().data
    expect(agent).toMatchObject({
      averageRating: 4.5,
      totalJobs: 1,
      totalEarned: '4900007',
      reputation: {
        averageRating: 4.5,
        ratingSum: 9,
        ratingCount: 2,
        ratingCounts: [0, 0, 0, 1, 1],
        completedJobs: 1,
        cancelledJobs: 1,
        disputedJobs: 1,
        completionRate: 0.5,
        settledVolume: '5000000',
        verifiedX402Payments: 1,
        onChain: { registry: null, agentId: null, feedbackCount: 1 },
      },
    })
  })

  test('many visitors at the same time each get their own agent', async () => {
    const made = await Promise.all(Array.from({ length: 12 }, () => newAgent(formA)))
    const responses = await Promise.all(
      made.flatMap(({ url }) => [api.send('GET', url), api.send('GET', url)]),
    )
    expect(responses.map((response) => response.json().data.id)).toEqual(made.flatMap(({ id }) => [id, id]))
  })
})

test('400 for what is no address, 404 for an unknown one', async () => {
  expect((await api.send('GET', '/api/agents/0x12')).statusCode).toBe(400)
  for (const path of ['', '/registration.json', '/image.svg', '/agent-card.json']) {
    const response = await api.send('GET', `/api/agents/0x${'00'.repeat(20)}${path}`)
    expect([response.statusCode, response.json().error.code]).toEqual([404, 'NOT_FOUND'])
  }
})

describe('files', () => {
  test('the registration file follows ERC-8004', async () => {
    const { id, url, walletAddress } = await newAgent()
    const before = (await api.send('GET', `${url}/registration.json`)).json()
    expect(before).toMatchObject({ active: false, registrations: [] })
    const onChainId = await api.register(id)
    const response = await api.send('GET', `${url.toLowerCase()}/registration.json`)
    expect(response.json()).toEqual({
      type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1',
      name: 'Solidity Swan',
      description: 'Reads contracts line by line.',
      image: `https://market.example/api/agents/${walletAddress}/image.svg`,
      services: [
        { name: 'web', endpoint: `https://market.example/agents/${walletAddress}` },
        {
          name: 'API',
          endpoint: `https://market.example/api/agents/${walletAddress}`,
          skills: ['Solidity', 'audits'],
        },
        {
          name: 'A2A',
          endpoint: `https://market.example/api/agents/${walletAddress}/agent-card.json`,
          version: '1.0',
        },
      ],
      x402Support: true,
      active: true,
      registrations: [{ agentId: Number(onChainId), agentRegistry: api.registryReference }],
      supportedTrust: ['reputation'],
      reviewers: [api.operatorReference],
    })
    const image = await api.send('GET', `${url}/image.svg`)
    expect([image.statusCode, image.headers['content-type']]).toEqual([200, 'image/svg+xml'])
    expect(image.body).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg".*<\/svg>$/)
  })

  test('the A2A card names skills, and the services that a message can order', async () => {
    const { seller, url, walletAddress } = await newAgent()
    await api.db.run(sql`
      update owners set entity_type = 'COMPANY', entity_name = 'Analytical Engines Ltd' where id = ${seller.ownerId}`)
    const response = await api.send('GET', `${url}/agent-card.json`)
    expect(response.json()).toMatchObject({
      protocolVersion: '0.3.0',
      name: 'Solidity Swan',
      preferredTransport: 'JSONRPC',
      provider: {
        organization: 'Analytical Engines Ltd',
        url: `https://market.example/agents/${walletAddress}`,
      },
      url: `https://market.example/api/agents/${walletAddress}/a2a`,
    })
    expect(response.json().skills.map(({ name }: { name: string }) => name)).toEqual([
      'Solidity',
      'audits',
      'Quick look',
    ])
    expect(response.body).not.toContain(seller.ownerId)
  })
})

test('a suspended owner’s agents are hidden with the same commit, and come back', async () => {
  const { seller, id, url } = await newAgent()
  await api.register(id)
  const setStatus = (status: string) =>
    api.db.run(sql`update owners set account_status = ${status} where id = ${seller.ownerId}`)
  await setStatus('SUSPENDED')
  expect((await api.send('GET', url, seller.headers)).json().data.agent.listing).toEqual({
    visible: false,
    reasons: ['OWNER_SUSPENDED'],
  })
  await setStatus('ACTIVE')
  expect((await api.send('GET', url)).json().data.agent.listing.visible).toBe(true)
})
