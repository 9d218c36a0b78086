import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PaidAgent } from '../../house/agents.ts'
import { walletAccount } from '../../money/books/accounts.ts'
import { balanceOf, postEntry } from '../../money/books/journal.ts'
import { sql } from '../../platform/db/sql.ts'
import type { EmbeddedChain } from '../../ports/chain/embedded.ts'
import { newWallet } from '../../testing/sign-in.ts'
import { signPayment } from '../../testing/sign-payment.ts'
import { startWorld, type World } from '../../testing/start-world.ts'
import { startTestChain } from '../../testing/test-chain.ts'
import { createTestClock } from '../../testing/test-clock.ts'
import type { WorldOwner } from '../../testing/world/world-people.ts'
import { carryOut } from '../payments/testing/chain-deeds.ts'

const clock = createTestClock()
const buyerWallet = newWallet()
const sellerWallet = newWallet()
/** The wallets that owners sign in with. The buyer pays from one that nobody knows. */
const payerWallet = newWallet()
const strangerWallet = newWallet()
const sessions = new Map<string, WorldOwner>()

let world: World
let chain: EmbeddedChain
let buyer: string
let seller: string
let stranger: string
let payer: string
let otherAgent: PaidAgent
beforeAll(async () => {
  chain = await startTestChain()
  world = await startWorld({ chain, clock })
  buyer = await newOwner()
  seller = await newOwner(sellerWallet)
  stranger = await newOwner(strangerWallet)
  payer = await newOwner(payerWallet)
  otherAgent = await newAgent()
  for (const { address } of [buyerWallet, sellerWallet, payerWallet]) await world.give(address, 100_000_000n)
})
afterAll(async () => {
  await world.runUntilIdle()
  expect(await world.breaches()).toEqual([])
  await world.close()
  await chain.close()
})

async function newOwner(wallet = newWallet()): Promise<string> {
  const owner = await world.newOwner({ wallet })
  sessions.set(owner.ownerId, owner)
  return owner.ownerId
}

async function newAgent(): Promise<PaidAgent> {
  const owner = sessions.get(seller)
  if (!owner) throw new Error('there is no seller')
  const { id, wallet: walletAddress } = await world.newAgent(owner)
  return { id, ownerId: seller, walletAddress }
}

/** How many payments say something about the agent. */
const countedFor = async ({ id }: PaidAgent): Promise<number> =>
  (
    await world.db.one<{ counted: number }>(
      sql`select verified_x402_payments as counted from agents where id = ${id}`,
    )
  ).counted

/** The indexer reads the chain, then the worker looks reports up. */
async function work(): Promise<void> {
  await world.runUntilIdle()
  await world.queue.runAllNow()
}

const kindsOf = async (agent: PaidAgent): Promise<string[]> => {
  const rows = await world.db.rows<{ kind: string }>(sql`
    select e.kind from journal_entries e join journal_postings p on p.entry_id = e.id
    where p.account = ${walletAccount(agent.walletAddress)} and e.reverses is null
      and not exists (select 1 from journal_entries r where r.reverses = e.id) order by e.seq`)
  return rows.map(({ kind }) => kind)
}

async function pay(agent: PaidAgent, amountMicro: bigint, from = buyerWallet): Promise<string> {
  const to = world.chain.checksumAddress(agent.walletAddress)
  return world.execute(from, world.chain.usdc.transfer({ to, amountMicro }))
}

const headersOf = (ownerId: string, accept = '*/*') => ({ ...sessions.get(ownerId)?.headers, accept })
const post = (ownerId: string, payload: object, accept?: string) =>
  world.http.inject({ method: 'POST', url: '/api/x402/log', headers: headersOf(ownerId, accept), payload })
const list = (ownerId: string, query = '', accept?: string) =>
  world.http.inject({
    method: 'GET',
    url: `/api/x402/transactions${query}`,
    headers: headersOf(ownerId, accept),
  })
const formA = (agent: PaidAgent, txHash: string, amount = '2500000') => ({
  agentId: agent.id,
  txHash,
  amountMicroUsdc: amount,
})
const formB = (agent: PaidAgent, x402TxId: string, more: object = {}) => ({
  payerWallet: buyerWallet.address.toLowerCase(),
  payeeWallet: agent.walletAddress.toLowerCase(),
  amount: '2500000',
  x402TxId,
  serviceName: 'Reconciliation',
  metadata: { invoice: 'A-17' },
  ...more,
})

async function verificationOf(ownerId: string, txHash: string): Promise<string> {
  const { data } = (await list(ownerId)).json()
  return data.find((entry: { txHash: string }) => entry.txHash === txHash).verification
}

describe('201, then what the chain says', () => {
  test('a real payment is taken at once and verified by the worker; the journal counts it once', async () => {
    const agent = await newAgent()
    const txHash = await pay(agent, 2_500_000n)
    const response = await post(buyer, formA(agent, txHash))
    expect(response.statusCode).toBe(201)
    expect(response.json().data).toMatchObject({
      agentId: agent.id,
      ownerId: buyer,
      txHash,
      amountMicroUsdc: '2500000',
      chainId: 31337,
      verification: 'PENDING',
      transaction: {
        amount: '2500000',
        status: 'COMPLETED',
        payeeWallet: agent.walletAddress,
        payerWallet: null,
      },
    })
    await work()
    await work()
    expect(await verificationOf(buyer, txHash)).toBe('VERIFIED')
    expect(await verificationOf(seller, txHash)).toBe('VERIFIED')
    expect(await balanceOf(world.db, walletAccount(agent.walletAddress))).toBe(2_500_000n)
    expect(await kindsOf(agent)).toEqual(['x402'])
    expect(await countedFor(agent)).toBe(1)
  })

  test('what the seller pays to its own agent is verified and booked, and says nothing about the agent', async () => {
    const agent = await newAgent()
    const txHash = await pay(agent, 2_500_000n, sellerWallet)
    await post(seller, formA(agent, txHash))
    await work()
    expect(await verificationOf(seller, txHash)).toBe('VERIFIED')
    expect(await kindsOf(agent)).toEqual(['x402'])
    expect(await countedFor(agent)).toBe(0)
  })

  test('long after the indexer has met it as a direct transfer it is still counted once, as a payment', async () => {
    const agent = await newAgent()
    const txHash = await pay(agent, 2_500_000n)
    await world.runUntilIdle()
    expect(await kindsOf(agent)).toEqual(['transfer.direct'])
    await post(seller, formA(agent, txHash))
    await work()
    expect(await kindsOf(agent)).toEqual(['x402'])
    expect(await balanceOf(world.db, walletAccount(agent.walletAddress))).toBe(2_500_000n)
  })

  test.each([
    ['another amount', (agent: PaidAgent, hash: string) => formA(agent, hash, '2500001')],
    [
      'another payer',
      (agent: PaidAgent, hash: string) => formB(agent, hash, { payerWallet: newWallet().address }),
    ],
    ['another agent', (_agent: PaidAgent, hash: string) => formA(otherAgent, hash)],
    ['an id that is no transaction', (agent: PaidAgent) => formB(agent, `facilitator-${agent.id}`)],
    [
      'a transaction that never comes',
      (agent: PaidAgent) => formA(agent, `0x${agent.id.length}${'a'.repeat(62)}`),
    ],
  ])('%s stays unverified and counts for nothing', async (_what, report) => {
    const agent = await newAgent()
    const body = report(agent, await pay(agent, 2_500_000n))
    const txId = 'txHash' in body ? body.txHash : body.x402TxId
    expect((await post(buyer, body)).statusCode).toBe(201)
    await work()
    expect(await verificationOf(buyer, txId)).toBe('UNVERIFIED')
    // The money is there; it is nobody's payment.
    expect(await balanceOf(world.db, walletAccount(agent.walletAddress))).toBe(2_500_000n)
    expect(await kindsOf(agent)).toEqual(['transfer.direct'])
    expect(await countedFor(agent)).toBe(0)
  })
})

test('the pay of a job is verified, and not counted again', async () => {
  const agent = await newAgent()
  const txHash = await pay(agent, 2_500_000n)
  const outcome = await world.chain.reader.getOutcome(txHash as `0x${string}`)
  if (outcome.status !== 'success') throw new Error('the payment is not mined')
  const [transfer] = outcome.events
  if (!transfer) throw new Error('the payment shows no transfer')
  await world.db.transaction((tx) =>
    postEntry(tx, {
      kind: 'x402',
      at: new Date(),
      postings: [
        { account: walletAccount(buyerWallet.address), amountMicro: -2_500_000n },
        { account: walletAccount(agent.walletAddress), amountMicro: 2_500_000n },
      ],
      chain: { chainId: 31337, txHash, ...transfer },
      reference: { jobId: world.newId(), agentId: agent.id },
    }),
  )
  await post(buyer, formA(agent, txHash))
  await work()
  expect(await verificationOf(buyer, txHash)).toBe('VERIFIED')
  expect(await balanceOf(world.db, walletAccount(agent.walletAddress))).toBe(2_500_000n)
  expect(await countedFor(agent)).toBe(0)
})

describe('the same transaction again', () => {
  test('same content, in either form and any letter case, returns the first record', async () => {
    const agent = await newAgent()
    const txHash = await pay(agent, 2_500_000n)
    const first = (await post(buyer, formA(agent, txHash))).json().data
    const shouted = `0x${txHash.slice(2).toUpperCase()}`
    for (const [ownerId, body] of [
      [buyer, formA(agent, shouted)],
      [buyer, formB(agent, shouted)],
      [seller, formB(agent, txHash)],
    ] as const) {
      const again = await post(ownerId, body)
      expect(again.statusCode).toBe(200)
      expect(again.json().data.id).toBe(first.id)
    }
    expect(await world.db.rows(sql`select 1 from x402_transactions where tx_key = ${txHash}`)).toHaveLength(1)
  })

  test('other content is a conflict, and so is anything from somebody who has no part in it', async () => {
    const agent = await newAgent()
    const txHash = await pay(agent, 2_500_000n)
    expect((await post(buyer, formB(agent, txHash))).statusCode).toBe(201)
    for (const [ownerId, body] of [
      [buyer, formA(agent, txHash, '1')],
      [buyer, formB(agent, txHash, { metadata: { invoice: 'A-18' } })],
      [stranger, formB(agent, txHash)],
    ] as const) {
      const response = await post(ownerId, body)
      expect(response.statusCode).toBe(409)
      expect(response.json().error.code).toBe('CONFLICT')
    }
  })
})

describe('payer and payee share one record', () => {
  const walletOf = (ownerId: string, agent: PaidAgent) =>
    ownerId === payer ? payerWallet.address : agent.walletAddress
  const findUnderWallet = async (ownerId: string, agent: PaidAgent) =>
    (await list(ownerId, `?wallet=${walletOf(ownerId, agent)}&agentId=${agent.id}`)).json().data.transactions
  const ofPayer = { payerWallet: payerWallet.address }
  const unsaid = { serviceName: undefined, metadata: undefined }
  const spam = { serviceName: 'Spam', metadata: { spam: true } }

  test.each([
    ['payee, then payer, in form A', () => [seller, payer], formA],
    ['payer, then payee, in form A', () => [payer, seller], formA],
    [
      'payee, then payer, in form B',
      () => [seller, payer],
      (a: PaidAgent, hash: string) => formB(a, hash, ofPayer),
    ],
  ])('%s: the second gets the first record, and both find it', async (_order, parties, bodyOf) => {
    const agent = await newAgent()
    const txHash = await pay(agent, 2_500_000n, payerWallet)
    const [first = '', second = ''] = parties()
    const { id } = (await post(first, bodyOf(agent, txHash))).json().data
    const again = await post(second, bodyOf(agent, txHash))
    expect([again.statusCode, again.json().data.id]).toEqual([200, id])
    for (const ownerId of [first, second]) {
      expect((await list(ownerId, `?agentId=${agent.id}`)).json().data).toMatchObject([{ id, txHash }])
    }
    await work()
    for (const ownerId of [first, second]) {
      expect(await findUnderWallet(ownerId, agent)).toMatchObject([
        { id, verification: 'VERIFIED', payerWallet: payerWallet.address },
      ])
    }
    expect((await post(stranger, bodyOf(agent, txHash))).statusCode).toBe(409)
    expect(await countedFor(agent)).toBe(1)
  })

  test('the payer finds what the payee alone has logged, once the chain shows who paid', async () => {
    const agent = await newAgent()
    const txHash = await pay(agent, 2_500_000n, payerWallet)
    await post(seller, formA(agent, txHash))
    expect(await findUnderWallet(payer, agent)).toEqual([])
    await work()
    expect(await findUnderWallet(payer, agent)).toMatchObject([{ x402TxId: txHash }])
    expect((await post(payer, formA(agent, txHash))).statusCode).toBe(200)
  })

  test('what either adds later is added, in any order of its keys; what contradicts it is a conflict', async () => {
    const agent = await newAgent()
    const txHash = await pay(agent, 2_500_000n, payerWallet)
    await post(seller, formB(agent, txHash, { ...ofPayer, ...unsaid }))
    const added = { ...ofPayer, metadata: { zebra: 1, invoice: { b: 1, a: 2 } } }
    const later = await post(payer, formB(agent, txHash, added))
    expect([later.statusCode, later.json().data.transaction]).toMatchObject([
      200,
      { serviceName: 'Reconciliation', metadata: added.metadata },
    ])
    expect((await post(payer, formB(agent, txHash, added))).statusCode).toBe(200)
    const more = formB(agent, txHash, { ...ofPayer, ...unsaid, metadata: { order: 7 } })
    expect((await post(seller, more)).json().data.transaction.metadata).toEqual({
      ...added.metadata,
      order: 7,
    })
    expect((await post(seller, formA(agent, txHash))).statusCode).toBe(200)
    for (const words of [{ serviceName: 'Something else' }, { metadata: { order: 8 } }]) {
      const response = await post(seller, formB(agent, txHash, { ...ofPayer, ...unsaid, ...words }))
      expect(response.statusCode).toBe(409)
    }
    await work()
    for (const ownerId of [payer, seller]) {
      expect(await findUnderWallet(ownerId, agent)).toMatchObject([
        { serviceName: 'Reconciliation', metadata: { ...added.metadata, order: 7 } },
      ])
    }
  })

  test.each([
    [
      'the same, in other words',
      (agent: PaidAgent, hash: string) => formB(agent, hash, { ...ofPayer, serviceName: 'Spam' }),
      200,
    ],
    [
      'a false payer',
      (agent: PaidAgent, hash: string) => formB(agent, hash, { payerWallet: newWallet().address }),
      201,
    ],
    [
      'itself as the payer',
      (agent: PaidAgent, hash: string) =>
        formB(agent, hash, { payerWallet: strangerWallet.address, ...spam }),
      201,
    ],
    ['a false amount', (agent: PaidAgent, hash: string) => formA(agent, hash, '9'), 201],
  ])(
    'a stranger who logs %s first keeps neither out and puts no word into their record',
    async (_what, falseBody, ofPayerNext) => {
      const agent = await newAgent()
      const txHash = await pay(agent, 2_500_000n, payerWallet)
      const strange = await post(stranger, falseBody(agent, txHash))
      expect(strange.statusCode).toBe(201)
      expect((await post(payer, formA(agent, txHash))).statusCode).toBe(ofPayerNext)
      const body = formB(agent, txHash, ofPayer)
      expect((await post(seller, body)).statusCode).toBe(200)
      await work()
      for (const ownerId of [payer, seller]) {
        const found = await findUnderWallet(ownerId, agent)
        expect(
          found.filter(({ verification }: { verification: string }) => verification === 'VERIFIED'),
        ).toMatchObject([{ serviceName: 'Reconciliation', metadata: { invoice: 'A-17' } }])
      }
      expect(await kindsOf(agent)).toEqual(['x402'])
      const [own] = (await list(stranger, `?offset=0&agentId=${agent.id}`)).json().data.transactions
      const { serviceName, metadata } = strange.json().data.transaction
      expect(own).toMatchObject({ serviceName, metadata })
    },
  )

  const falsePayer = (agent: PaidAgent, hash: string, more: object = {}) =>
    formB(agent, hash, { payerWallet: strangerWallet.address, ...spam, ...more })
  const ofPayeeWithPayer = (agent: PaidAgent, hash: string) => formB(agent, hash, ofPayer)

  test.each([
    ['the payee, who names no payer', () => [seller], formA, [200]],
    ['the payee, who names the payer', () => [seller], ofPayeeWithPayer, [201]],
    ['the payer, who names itself', () => [payer], ofPayeeWithPayer, [201]],
    ['the payer, then the payee', () => [payer, seller], formA, [201, 200]],
    ['the payee, then the payer', () => [seller, payer], formA, [200, 201]],
    ['the payer by name, then the payee', () => [payer, seller], ofPayeeWithPayer, [201, 200]],
  ])(
    'a stranger who calls itself the payer does not stop %s',
    async (_who, parties, bodyOf, ofSameAmount) => {
      // A record of another amount is not theirs: the first of them makes a new one.
      for (const [amount, expected] of [
        ['2500000', ofSameAmount],
        ['7', [201, 200].slice(0, ofSameAmount.length)],
      ] as const) {
        const agent = await newAgent()
        const txHash = await pay(agent, 2_500_000n, payerWallet)
        expect((await post(stranger, falsePayer(agent, txHash, { amount }))).statusCode).toBe(201)
        const statuses: number[] = []
        for (const ownerId of parties()) {
          const { statusCode } = await post(ownerId, bodyOf(agent, txHash))
          statuses.push(statusCode)
        }
        expect(statuses).toEqual(expected)
        await work()
        for (const ownerId of [payer, seller]) {
          const found: { verification: string; serviceName: string | null; metadata: object }[] =
            await findUnderWallet(ownerId, agent)
          const verified = found.filter(({ verification }) => verification === 'VERIFIED')
          expect(verified).toMatchObject([{ payerWallet: payerWallet.address }])
          expect(verified[0]?.serviceName).not.toBe('Spam')
          expect(verified[0]?.metadata).not.toHaveProperty('spam')
        }
        for (const ownerId of parties()) {
          const again = await post(ownerId, bodyOf(agent, txHash))
          expect([again.statusCode, again.json().data.verification]).toEqual([200, 'VERIFIED'])
        }
        expect(await kindsOf(agent)).toEqual(['x402'])
      }
    },
  )

  test('a stranger who names no payer takes nothing from the record of the payer', async () => {
    const agent = await newAgent()
    const txHash = await pay(agent, 2_500_000n, payerWallet)
    const { id } = (await post(payer, formB(agent, txHash, ofPayer))).json().data
    await post(stranger, formA(agent, txHash))
    await world.db.run(
      sql`update pgboss.job set created_on = created_on - interval '1 day' where data ->> 'id' <> ${id}`,
    )
    await work()
    expect(await findUnderWallet(payer, agent)).toMatchObject([{ id, verification: 'VERIFIED' }])
  })

  test('both at once make one record', async () => {
    const agent = await newAgent()
    const txHash = await pay(agent, 2_500_000n, payerWallet)
    const responses = await Promise.all(
      [payer, seller, payer, seller].map((one) => post(one, formA(agent, txHash))),
    )
    expect(responses.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 200, 200, 201])
    expect(new Set(responses.map((response) => response.json().data.id)).size).toBe(1)
  })
})

describe('a transaction with several payments', () => {
  async function payAll(payees: PaidAgent[]): Promise<string> {
    const offers = payees.map(({ walletAddress }) => ({
      scheme: 'exact',
      network: 'eip155:31337' as const,
      amount: '2500000',
      asset: world.chain.facts.contracts.usdc,
      payTo: walletAddress,
      maxTimeoutSeconds: 300,
      extra: {},
    }))
    const signed = await Promise.all(
      offers.map((offer) => signPayment({ chain: world.chain, clock: chain.sandbox }, payerWallet, offer)),
    )
    const payments = signed.map(({ payment }) => payment)
    return (await carryOut(chain, buyerWallet, payments)).transactionHash
  }

  test('to two agents is logged for both', async () => {
    const payees = [await newAgent(), await newAgent()]
    const txHash = await payAll(payees)
    for (const agent of payees) expect((await post(payer, formA(agent, txHash))).statusCode).toBe(201)
    await work()
    for (const agent of payees) {
      const [{ verification }] = (await list(payer, `?agentId=${agent.id}`)).json().data
      expect([verification, await kindsOf(agent)]).toEqual(['VERIFIED', ['x402']])
    }
  })

  test('twice to one agent is logged twice, by the index of its transfers', async () => {
    const agent = await newAgent()
    const txHash = await payAll([agent, agent])
    expect((await post(payer, formA(agent, txHash))).statusCode).toBe(201)
    await work()
    const [{ logIndex }] = (await list(payer, `?agentId=${agent.id}`)).json().data
    expect((await post(seller, formA(agent, txHash))).statusCode).toBe(200)
    const outcome = await world.chain.reader.getOutcome(txHash as `0x${string}`)
    if (outcome.status !== 'success') throw new Error('the payments are not mined')
    const other = outcome.events.find(
      (event) => event.name === 'UsdcTransferred' && event.logIndex !== logIndex,
    )
    const second = { ...formA(agent, txHash), logIndex: other?.logIndex }
    expect((await post(seller, second)).statusCode).toBe(201)
    expect((await post(payer, second)).statusCode).toBe(200)
    await work()
    const records = (await list(payer, `?agentId=${agent.id}`)).json().data
    expect(records).toMatchObject([{ verification: 'VERIFIED' }, { verification: 'VERIFIED' }])
    expect(await kindsOf(agent)).toEqual(['x402', 'x402'])
  })
})

test('404 for an agent that does not exist, 400 for a body of neither form', async () => {
  const nobody = { id: world.newId(), ownerId: seller, walletAddress: newWallet().address }
  expect((await post(buyer, formA(nobody, `0x${'1'.repeat(64)}`))).statusCode).toBe(404)
  expect((await post(buyer, formB(nobody, 'x'))).statusCode).toBe(404)
  expect((await post(buyer, { agentId: nobody.id })).statusCode).toBe(400)
})

test('an id and a wallet that are sent together must be of one agent', async () => {
  const agent = await newAgent()
  const txHash = await pay(agent, 2_500_000n)
  const both = { agentId: agent.id, payeeWallet: agent.walletAddress.toLowerCase() }
  for (const other of [{ agentId: otherAgent.id }, { payeeWallet: otherAgent.walletAddress }]) {
    for (const body of [formA(agent, txHash), formB(agent, txHash)]) {
      const response = await post(buyer, { ...body, ...both, ...other })
      expect([response.statusCode, response.json().error?.details.issues[0].path]).toEqual([
        400,
        '/payeeWallet',
      ])
    }
  }
  expect((await post(buyer, { ...formA(agent, txHash), ...both })).statusCode).toBe(201)
  expect((await post(buyer, { ...formB(agent, txHash), ...both })).statusCode).toBe(200)
})

test('a wrong report by a stranger does not keep the right one out', async () => {
  const agent = await newAgent()
  const txHash = await pay(agent, 2_500_000n)
  expect((await post(stranger, formA(agent, txHash, '9'))).statusCode).toBe(201)
  expect((await post(buyer, formA(agent, txHash))).statusCode).toBe(201)
  await work()
  expect(await verificationOf(buyer, txHash)).toBe('VERIFIED')
  expect((await post(stranger, formA(agent, txHash, '9'))).statusCode).toBe(200)
})

describe('the list', () => {
  test('is an array, or an object when the query or the caller asks for form B', async () => {
    expect((await list(buyer, '?limit=1')).json().data).toHaveLength(1)
    const v2 = 'application/vnd.agent-marketplace.v2+json'
    for (const response of [await list(buyer, '?offset=0&limit=1'), await list(buyer, '?limit=1', v2)]) {
      const { transactions, ...page } = response.json().data
      expect(transactions).toHaveLength(1)
      expect(transactions[0]).toMatchObject({ status: 'COMPLETED' })
      expect(page).toMatchObject({ limit: 1, offset: 0 })
      expect(page.total).toBeGreaterThan(1)
    }
  })

  test('shows nobody else’s, and narrows by agent, wallet and date', async () => {
    expect((await list(await newOwner())).json().data).toEqual([])
    const agent = await newAgent()
    const txHash = await pay(agent, 2_500_000n)
    clock.set(new Date('2026-12-24T18:00:00Z'))
    await post(buyer, formB(agent, txHash))
    const totalOf = async (query: string) => (await list(buyer, query)).json().data.total
    expect((await list(buyer, `?agentId=${agent.id}`)).json().data).toHaveLength(1)
    expect(await totalOf(`?wallet=${agent.walletAddress.toLowerCase()}`)).toBe(1)
    expect(await totalOf('?startDate=2026-12-24&endDate=2026-12-24')).toBe(1)
    expect(await totalOf('?startDate=2026-12-25')).toBe(0)
    expect(await totalOf('?startDate=2026-12-24T18:00:00&endDate=2026-12-24T18:00:00Z')).toBe(1)
    expect((await list(buyer, '?startDate=2026-02-31')).statusCode).toBe(400)
  })
})
