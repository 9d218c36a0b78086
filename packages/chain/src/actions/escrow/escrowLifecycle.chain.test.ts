import { type Address, type Hex, keccak256, stringToHex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { escrowAbi } from '../../abis.ts'
import { type JobTerms, jobKeyOf, jobRefOf } from '../../escrowJob.ts'
import type { PreparedCall } from '../../preparedCall.ts'
import { startTestDevnet, type TestDevnet, testAccount } from '../../testing/startTestDevnet.ts'
import { buildReceiveAuthorization } from '../../typed-data/buildReceiveAuthorization.ts'
import { simulateCall } from '../transactions/simulateCall.ts'
import { getAuthorizationState } from '../usdc/getAuthorizationState.ts'
import { getUsdcBalance } from '../usdc/getUsdcBalance.ts'
import { getUsdcDomain } from '../usdc/getUsdcDomain.ts'
import { prepareApprove } from '../usdc/prepareApprove.ts'
import { decodeEscrowEvents } from './decodeEscrowEvents.ts'
import { getEscrowEvents } from './getEscrowEvents.ts'
import { getEscrowTotals } from './getEscrowTotals.ts'
import { getJob } from './getJob.ts'
import { getOwed } from './getOwed.ts'
import { prepareAcceptSettlement } from './prepareAcceptSettlement.ts'
import { prepareClaimMissedDeadline } from './prepareClaimMissedDeadline.ts'
import { prepareDeposit } from './prepareDeposit.ts'
import { prepareDepositWithAuthorization } from './prepareDepositWithAuthorization.ts'
import { prepareDisableOperator } from './prepareDisableOperator.ts'
import { prepareOpenDispute } from './prepareOpenDispute.ts'
import { prepareProposeSettlement } from './prepareProposeSettlement.ts'
import { prepareRefund } from './prepareRefund.ts'
import { prepareRefundUndecided } from './prepareRefundUndecided.ts'
import { prepareRelease } from './prepareRelease.ts'
import { prepareRequestChanges } from './prepareRequestChanges.ts'
import { prepareSubmit } from './prepareSubmit.ts'

const DAY = 86_400
const client = testAccount(1)
const seller = testAccount(2)
const agentWallet = testAccount(3).address
const stranger = testAccount(4)
const deliveryHash = keccak256(stringToHex('the work'))

let running: TestDevnet
let escrow: Address
let usdc: Address
let jobCount = 0

beforeAll(async () => {
  running = await startTestDevnet()
  escrow = running.devnet.addresses.escrow
  usdc = running.devnet.addresses.usdc
  await running.devnet.faucet({ address: client.address, amountMicro: 1_000_000_000_000n })
})
afterAll(() => running.stop())

const termsOf = (changes: Partial<JobTerms> = {}): JobTerms => ({
  jobRef: jobRefOf(`job${jobCount}`),
  client: client.address,
  seller: seller.address,
  agentWallet,
  amountMicro: 123_456_789n,
  deadline: 0,
  ...changes,
})

const keyOf = (terms: JobTerms): Hex => jobKeyOf({ chainId: 31337, escrow, terms })

const succeed = async (from: typeof client, call: PreparedCall) => {
  const receipt = await running.execute(from, call)
  expect(receipt.status).toBe('success')
  return decodeEscrowEvents({ escrow, logs: receipt.logs })
}

const asOperator = (call: PreparedCall) => succeed(running.devnet.roles.operator, call)

const fund = async (changes: Partial<JobTerms> = {}): Promise<{ key: Hex; terms: JobTerms }> => {
  const terms = termsOf(changes)
  await succeed(client, prepareApprove({ usdc, spender: escrow, amountMicro: terms.amountMicro }))
  await succeed(client, prepareDeposit({ escrow, terms }))
  return { key: keyOf(terms), terms }
}

const balances = async () => {
  const of = (owner: Address) => getUsdcBalance(running.client, { usdc, owner })
  return {
    client: await of(client.address),
    agent: await of(agentWallet),
    treasury: await of(running.devnet.addresses.treasury),
    escrow: await of(escrow),
  }
}

let before: Awaited<ReturnType<typeof balances>>
beforeEach(async () => {
  jobCount += 1
  before = await balances()
})

/** What each party gained since the test began; the sum over all is zero to the micro-unit. */
const expectGains = async (gains: { client: bigint; agent: bigint; treasury: bigint; escrow: bigint }) => {
  const after = await balances()
  const measured = {
    client: after.client - before.client,
    agent: after.agent - before.agent,
    treasury: after.treasury - before.treasury,
    escrow: after.escrow - before.escrow,
  }
  expect(measured).toEqual(gains)
  expect(measured.client + measured.agent + measured.treasury + measured.escrow).toBe(0n)
  const totals = await getEscrowTotals(running.client, { escrow })
  expect(totals.heldMicro + totals.owedMicro).toBe(after.escrow)
}

test('the key and the reference are the contract’s own', async () => {
  for (const terms of [termsOf(), termsOf({ deadline: 1_900_000_000, amountMicro: 2n ** 128n - 1n })]) {
    const { amountMicro, deadline, ...rest } = terms
    const onChain = await running.client.readContract({
      address: escrow,
      abi: escrowAbi,
      functionName: 'jobKeyOf',
      args: [{ ...rest, amount: amountMicro, deadline: BigInt(deadline) }],
    })
    expect(keyOf(terms)).toBe(onChain)
  }
  expect(jobRefOf('ck1')).toBe(`0x636b31${'00'.repeat(29)}`)
  for (const bad of ['', 'x'.repeat(33), 'with space', 'ümlaut']) {
    expect(() => jobRefOf(bad)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }))
  }
})

describe('funding', () => {
  test('by the client’s own deposit', async () => {
    const { key, terms } = await fund()
    expect(await getJob(running.client, { escrow, key })).toEqual({
      key,
      terms,
      state: 'funded',
      outcome: 'none',
      changeRequests: 0,
      dueAt: undefined,
      reviewEndsAt: undefined,
      undecidedAt: undefined,
      offer: undefined,
      clientActsAlone: false,
      sellerActsAlone: false,
    })
    await expectGains({ client: -123_456_789n, agent: 0n, treasury: 0n, escrow: 123_456_789n })
  })

  test('without gas, by one signature that fits these terms alone', async () => {
    const { name, version } = await getUsdcDomain(running.client, { usdc })
    const terms = termsOf()
    const token = { address: usdc, name, version, chainId: 31337 }
    const window = { validAfter: 0n, validBefore: BigInt(running.devnet.now() + 3600) }
    const typedData = buildReceiveAuthorization({ token, escrow, terms, ...window })
    const signature = await client.signTypedData(typedData)
    expect(typedData.message.nonce).toBe(keyOf(terms))

    const prepare = (used: JobTerms) =>
      prepareDepositWithAuthorization({ escrow, terms: used, ...window, signature })
    for (const other of [
      termsOf({ amountMicro: 1n }),
      termsOf({ agentWallet: stranger.address }),
      termsOf({ deadline: 2_000_000_000 }),
    ]) {
      const trial = await simulateCall(running.client, { from: stranger.address, call: prepare(other) })
      expect(trial).toMatchObject({ status: 'refused', reason: 'FiatTokenV2: invalid signature' })
    }
    const nonce = keyOf(terms)
    expect(await getAuthorizationState(running.client, { usdc, authorizer: client.address, nonce })).toBe(
      false,
    )
    const [funded] = await asOperator(prepare(terms))
    expect(funded).toMatchObject({ name: 'JobFunded', key: nonce, terms, feeBps: 200 })
    expect(await getAuthorizationState(running.client, { usdc, authorizer: client.address, nonce })).toBe(
      true,
    )
    const again = await simulateCall(running.client, { from: stranger.address, call: prepare(terms) })
    expect(again.status).toBe('refused')
    await expectGains({ client: -123_456_789n, agent: 0n, treasury: 0n, escrow: 123_456_789n })
  })

  test('a key that nobody funded has no job', async () => {
    expect(await getJob(running.client, { escrow, key: keyOf(termsOf()) })).toBeUndefined()
  })
})

describe('endings', () => {
  // 2 % of 123,456,789 is 2,469,135.78: the fee is cut, the seller gets the rest.
  const released = { client: -123_456_789n, agent: 120_987_654n, treasury: 2_469_135n, escrow: 0n }
  const refunded = { client: 0n, agent: 0n, treasury: 0n, escrow: 0n }

  test('release by the client', async () => {
    const { key } = await fund()
    const [submitted] = await asOperator(prepareSubmit({ escrow, key, deliveryHash }))
    expect(submitted).toMatchObject({ name: 'WorkSubmitted', key, deliveryHash })
    const [closed] = await asOperator(prepareRelease({ escrow, key }))
    expect(closed).toMatchObject({
      name: 'JobClosed',
      key,
      outcome: 'released',
      sellerNetMicro: 120_987_654n,
      feeMicro: 2_469_135n,
      refundedMicro: 0n,
    })
    expect(await getJob(running.client, { escrow, key })).toMatchObject({
      state: 'closed',
      outcome: 'released',
    })
    await expectGains(released)
  })

  test('auto-release by anyone, at the end of the review window and not before', async () => {
    const { key } = await fund()
    await succeed(seller, prepareSubmit({ escrow, key, deliveryHash }))
    const trial = () =>
      simulateCall(running.client, { from: stranger.address, call: prepareRelease({ escrow, key }) })
    expect((await trial()).status).toBe('refused')
    await running.devnet.advanceTime(7 * DAY)
    expect((await trial()).status).toBe('ok')
    await succeed(stranger, prepareRelease({ escrow, key }))
    await expectGains(released)
  })

  test('request for changes, then delivery again', async () => {
    const { key } = await fund()
    for (const count of [1, 2]) {
      await succeed(seller, prepareSubmit({ escrow, key, deliveryHash }))
      const [requested] = await succeed(client, prepareRequestChanges({ escrow, key }))
      expect(requested).toMatchObject({ name: 'ChangesRequested', key, count })
    }
    await succeed(seller, prepareSubmit({ escrow, key, deliveryHash }))
    const third = await simulateCall(running.client, {
      from: client.address,
      call: prepareRequestChanges({ escrow, key }),
    })
    expect(third).toMatchObject({ status: 'refused', reason: 'TooManyChangeRequests', args: [key, 2] })
    await succeed(client, prepareRelease({ escrow, key }))
    await expectGains(released)
  })

  test('refund by the seller', async () => {
    const { key } = await fund()
    const [closed] = await succeed(seller, prepareRefund({ escrow, key }))
    expect(closed).toMatchObject({
      name: 'JobClosed',
      outcome: 'refunded',
      refundedMicro: 123_456_789n,
      feeMicro: 0n,
    })
    await expectGains(refunded)
  })

  test('refund after a missed deadline and its grace', async () => {
    const { key } = await fund({ deadline: running.devnet.now() + DAY })
    await running.devnet.advanceTime(DAY + 60)
    const early = await simulateCall(running.client, {
      from: client.address,
      call: prepareClaimMissedDeadline({ escrow, key }),
    })
    expect(early).toMatchObject({ status: 'refused', reason: 'TooEarly' })
    await running.devnet.advanceTime(DAY)
    const [closed] = await succeed(client, prepareClaimMissedDeadline({ escrow, key }))
    expect(closed).toMatchObject({ name: 'JobClosed', outcome: 'expired' })
    await expectGains(refunded)
  })

  test('settlement: one side offers, the other accepts exactly that', async () => {
    const { key } = await fund({ amountMicro: 999_999_999n })
    const [opened] = await succeed(client, prepareOpenDispute({ escrow, key, onBehalfOf: 'client' }))
    expect(opened).toMatchObject({ name: 'DisputeOpened', key, by: 'client' })
    const [proposed] = await succeed(
      client,
      prepareProposeSettlement({ escrow, key, onBehalfOf: 'client', sellerBps: 3333 }),
    )
    expect(proposed).toMatchObject({ name: 'SettlementProposed', by: 'client', sellerBps: 3333 })
    expect((await getJob(running.client, { escrow, key }))?.offer).toEqual({ by: 'client', sellerBps: 3333 })
    const accept = (sellerBps: number) =>
      prepareAcceptSettlement({ escrow, key, onBehalfOf: 'seller', sellerBps })
    const other = await simulateCall(running.client, { from: seller.address, call: accept(3334) })
    expect(other).toMatchObject({ status: 'refused', reason: 'NoSuchOffer' })
    await succeed(seller, accept(3333))
    // 33.33 % of 999,999,999 is 333,299,999; 2 % of that is 6,665,999.
    await expectGains({ client: -333_299_999n, agent: 326_634_000n, treasury: 6_665_999n, escrow: 0n })
  })

  test('a dispute that nobody decides refunds after thirty days', async () => {
    const { key } = await fund()
    await succeed(seller, prepareOpenDispute({ escrow, key, onBehalfOf: 'seller' }))
    await running.devnet.advanceTime(30 * DAY)
    await succeed(stranger, prepareRefundUndecided({ escrow, key }))
    await expectGains(refunded)
  })

  test('a party that switched the operator off acts alone', async () => {
    const { key } = await fund()
    const [disabled] = await succeed(seller, prepareDisableOperator({ escrow, key }))
    expect(disabled).toMatchObject({ name: 'OperatorDisabled', key, party: 'seller' })
    const { operator } = running.devnet.addresses
    const trial = await simulateCall(running.client, { from: operator, call: prepareRefund({ escrow, key }) })
    expect(trial).toMatchObject({ status: 'refused', reason: 'NotAllowed' })
    await succeed(seller, prepareRefund({ escrow, key }))
    await expectGains(refunded)
  })
})

test('the range of blocks has each job’s whole history, once', async () => {
  const fromBlock = await running.client.getBlockNumber()
  const { key } = await fund()
  await succeed(seller, prepareSubmit({ escrow, key, deliveryHash }))
  await succeed(client, prepareRelease({ escrow, key }))
  const toBlock = await running.client.getBlockNumber()
  const events = await getEscrowEvents(running.client, { escrow, fromBlock: fromBlock + 1n, toBlock })
  expect(events.map(({ name }) => name)).toEqual(['JobFunded', 'WorkSubmitted', 'JobClosed'])
  for (const { blockNumber, blockHash } of events) {
    expect((await running.client.getBlock({ blockNumber })).hash).toBe(blockHash)
  }
  expect(await getOwed(running.client, { escrow, recipient: agentWallet })).toBe(0n)
})
