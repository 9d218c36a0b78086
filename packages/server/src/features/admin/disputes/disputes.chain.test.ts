import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { acceptRole, asArbiter, proposeRole } from '../../../money/testing/role-calls.ts'
import { sql } from '../../../platform/db/sql.ts'
import { startRulings } from '../testing/start-rulings.ts'

let api: Awaited<ReturnType<typeof startRulings>>
let headers: Record<string, string>
let adminId: string
beforeAll(async () => {
  api = await startRulings()
  const made = await api.newAdmin()
  headers = made.headers
  adminId = made.ownerId
})
afterAll(() => api.close())
beforeEach(() => api.chaos.setWeather('fair'))

const propose = (jobId: string, sellerBps: number) =>
  api.post(`/disputes/${jobId}/ruling`, headers, { sellerBps })

const confirm = (jobId: string, signature: string) =>
  api.post(`/disputes/${jobId}/ruling/confirmations`, headers, { signature })

/** As a wallet does it: with nothing but what the API hands out. */
async function sign(jobId: string, account: PrivateKeyAccount) {
  const { typedData } = (await api.get(`/disputes/${jobId}/ruling`, headers)).json().data
  const { EIP712Domain: _domain, ...types } = typedData.types
  return account.signTypedData({ ...typedData, types })
}

async function signAndConfirm(jobId: string, account: PrivateKeyAccount) {
  return confirm(jobId, await sign(jobId, account))
}

const proposalOf = async (jobId: string) =>
  (await api.get(`/disputes/${jobId}`, headers)).json().data.proposal

const disputeOf = async (jobId: string) => (await api.get(`/disputes/${jobId}`, headers)).json().data

const actionsOf = async (jobId: string) => (await api.entriesOf(jobId)).map(({ action }) => action)

describe('a ruling', () => {
  test('is proposed, signed by two of the three owners, and executed: the money is where they said', async () => {
    const [one, two] = api.safeOwners
    const { id, agentWallet } = await api.newDispute()
    const proposed = await propose(id, 2500)
    expect(proposed.statusCode).toBe(201)
    const { proposal } = proposed.json().data
    const state = await api.safe.readState()
    expect(proposal).toMatchObject({
      safe: api.chaos.chain.facts.contracts.arbiter,
      to: api.chaos.addresses.escrow,
      nonce: Number(state.nonce),
      sellerBps: 2500,
      confirmations: [],
      threshold: 2,
      status: 'OPEN',
      failureReason: null,
      txHash: null,
    })

    const first = await signAndConfirm(id, two)
    expect(first.statusCode).toBe(200)
    expect(first.json().data.proposal.confirmations).toEqual([two.address])
    await api.engine.runUntilIdle()
    expect((await api.safe.readState()).nonce).toBe(state.nonce)

    const second = await signAndConfirm(id, one)
    expect(second.json().data.proposal.confirmations).toHaveLength(2)
    expect(second.json().data.proposal).toMatchObject({ status: 'SIGNED', txHash: null })
    await api.engine.runUntilIdle()
    expect((await api.safe.readState()).nonce).toBe(state.nonce + 1n)
    // A quarter of 1,000,000,001 is 250,000,000; 2 % of that is the fee.
    expect(await api.balanceOf(agentWallet)).toBe(245_000_000n)
    expect(await proposalOf(id)).toMatchObject({
      status: 'EXECUTED',
      txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    })

    const entries = await api.entriesOf(id)
    expect(entries.map(({ action, actorId }) => [action, actorId])).toEqual([
      ['ruling.proposed', adminId],
      ['ruling.confirmed', adminId],
      ['ruling.confirmed', adminId],
      ['ruling.executed', null],
    ])
    expect(entries[2]?.details).toMatchObject({
      before: { status: 'OPEN', confirmations: [two.address] },
      after: { status: 'SIGNED' },
    })
    expect((await propose(id, 1)).statusCode).toBe(409)
  })

  test('proposed again is the same; with another share it replaces the first, whose signatures no longer count', async () => {
    const [one, two] = api.safeOwners
    const { id, agentWallet } = await api.newDispute()
    const first = (await propose(id, 5000)).json().data.proposal
    const stale = await sign(id, one)
    expect((await propose(id, 5000)).json().data.proposal).toEqual(first)
    await confirm(id, stale)
    const replaced = (await propose(id, 0)).json().data.proposal
    expect(replaced).toMatchObject({ sellerBps: 0, confirmations: [], nonce: first.nonce })
    expect(replaced.safeTxHash).not.toBe(first.safeTxHash)
    const refused = await confirm(id, stale)
    expect(refused.statusCode).toBe(400)
    expect(refused.json().error.details.issues[0].path).toBe('/signature')
    await signAndConfirm(id, one)
    await signAndConfirm(id, two)
    await api.engine.runUntilIdle()
    expect(await api.balanceOf(agentWallet)).toBe(0n)
    expect(await actionsOf(id)).toEqual([
      'ruling.proposed',
      'ruling.confirmed',
      'ruling.proposed',
      'ruling.confirmed',
      'ruling.confirmed',
      'ruling.executed',
    ])
  })

  test('takes signatures whose last byte is 0 or 1', async () => {
    const [one, two] = api.safeOwners
    const { id } = await api.newDispute()
    await propose(id, 10_000)
    for (const account of [one, two]) {
      const signature = await sign(id, account)
      const parity = Number.parseInt(signature.slice(-2), 16) - 27
      expect((await confirm(id, `${signature.slice(0, -2)}0${parity}`)).statusCode).toBe(200)
    }
    await api.engine.runUntilIdle()
    expect(await actionsOf(id)).toContain('ruling.executed')
  })
})

describe('a signature', () => {
  test('of a stranger, of another ruling, or of nobody is a 400 and counts for nothing', async () => {
    const [one] = api.safeOwners
    const { id } = await api.newDispute()
    await propose(id, 100)
    const other = await api.newDispute()
    await propose(other.id, 100)
    const signatures = [
      await sign(id, api.stranger),
      await sign(other.id, one),
      `0x${'00'.repeat(65)}`,
      `0x${'ff'.repeat(65)}`,
      '0x1234',
    ]
    for (const signature of signatures) expect((await confirm(id, signature)).statusCode).toBe(400)
    expect(await proposalOf(id)).toMatchObject({ confirmations: [] })
    expect(await actionsOf(id)).toEqual(['ruling.proposed'])
  })

  test('of one owner counts once, however often and however fast it comes', async () => {
    const [one] = api.safeOwners
    const { id } = await api.newDispute()
    await propose(id, 100)
    const signature = await sign(id, one)
    const responses = await Promise.all([1, 2, 3].map(() => confirm(id, signature)))
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    expect(await proposalOf(id)).toMatchObject({ confirmations: [one.address] })
    expect(await actionsOf(id)).toEqual(['ruling.proposed', 'ruling.confirmed'])
  })

  test('of two owners at once orders one execution', async () => {
    const [one, two, three] = api.safeOwners
    const { id } = await api.newDispute()
    await propose(id, 100)
    const signatures = await Promise.all([one, two, three].map((account) => sign(id, account)))
    const responses = await Promise.all(signatures.map((signature) => confirm(id, signature)))
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 200, 409])
    await api.engine.runUntilIdle()
    const { count } = await api.db.one<{ count: bigint }>(
      sql`select count(*) from intents where kind = 'arbiter.rule' and payload->>'jobId' = ${id}`,
    )
    expect(count).toBe(1n)
    expect((await actionsOf(id)).filter((action) => action === 'ruling.executed')).toHaveLength(1)
  })
})

describe('when the Safe moves on', () => {
  test('an older proposal is out of date, and proposing it again makes it good', async () => {
    const [one, two] = api.safeOwners
    const [mine, other] = [await api.newDispute(), await api.newDispute()]
    await propose(mine.id, 100)
    await propose(other.id, 100)
    await signAndConfirm(other.id, one)
    await signAndConfirm(other.id, two)
    await api.engine.runUntilIdle()
    const late = await signAndConfirm(mine.id, one)
    expect(late.statusCode).toBe(409)
    expect(late.json().error.details.status).toBe('OUT_OF_DATE')
    await propose(mine.id, 100)
    await signAndConfirm(mine.id, one)
    await signAndConfirm(mine.id, two)
    await api.engine.runUntilIdle()
    expect(await actionsOf(mine.id)).toContain('ruling.executed')
  })

  test('a signed proposal whose nonce is used elsewhere fails, and can be proposed again', async () => {
    const [one, two] = api.safeOwners
    const [mine, other] = [await api.newDispute(), await api.newDispute()]
    await propose(mine.id, 100)
    await propose(other.id, 100)
    for (const { id } of [mine, other]) {
      await signAndConfirm(id, one)
      await signAndConfirm(id, two)
    }
    await api.engine.runUntilIdle()
    const outcomes = await Promise.all([mine, other].map(async ({ id }) => (await actionsOf(id)).at(-1)))
    expect(outcomes.sort()).toEqual(['ruling.executed', 'ruling.failed'])
    const failed = (await actionsOf(mine.id)).includes('ruling.failed') ? mine : other
    expect(await disputeOf(failed.id)).toMatchObject({
      proposal: null,
      failedProposal: {
        status: 'FAILED',
        sellerBps: 100,
        // Whether the Safe's nonce or the Safe itself says it depends on which of the two comes first.
        failureReason: expect.stringMatching(/^(SAFE_NONCE_USED|GS026): the /),
      },
    })
    const listed = (await api.get('/disputes?limit=100', headers)).json().data.disputes
    const shown = listed.find(({ job }: { job: { id: string } }) => job.id === failed.id)
    expect(shown.failedProposal.failureReason).toContain('Propose it again')
    const unsigned = await api.get(`/disputes/${failed.id}/ruling`, headers)
    expect([unsigned.statusCode, unsigned.json().error.message]).toEqual([
      404,
      expect.stringContaining('The last one failed.'),
    ])
    const again = await propose(failed.id, 100)
    expect(again.statusCode).toBe(201)
    expect(again.json().data).toMatchObject({ proposal: { status: 'OPEN' }, failedProposal: null })
  })

  test('what the owners executed by themselves is not executed again', async () => {
    const [one, two] = api.safeOwners
    const { id, key, agentWallet } = await api.newDispute()
    await propose(id, 10_000)
    const { nonce } = await api.safe.readState()
    const ruling = { escrowKey: key, sellerBps: 10_000, safeNonce: nonce }
    const signatures = []
    for (const account of [one, two]) {
      const signed = await api.safe.readSignature(ruling, await sign(id, account))
      if (!signed) throw new Error('the signature is not read')
      signatures.push(signed)
      await confirm(id, signed.signature)
    }
    await api.execute(api.stranger, api.safe.executionOf(ruling, signatures))
    const paid = await api.balanceOf(agentWallet)
    expect(paid).toBe(980_000_001n)
    await api.engine.runUntilIdle()
    expect(await api.balanceOf(agentWallet)).toBe(paid)
    expect((await api.entriesOf(id)).at(-1)).toMatchObject({
      action: 'ruling.failed',
      details: { reason: 'SAFE_NONCE_USED' },
    })
  })
})

test('a ruling that the chain refuses says what the chain said', async () => {
  const [one, two] = api.safeOwners
  const { id, key } = await api.newDispute()
  await propose(id, 5000)
  // Meanwhile the seller gives the money back: the escrow has nothing left to rule on.
  await api.giveBack(key)
  await signAndConfirm(id, one)
  await signAndConfirm(id, two)
  await api.engine.runUntilIdle()
  const { failedProposal } = await disputeOf(id)
  expect(failedProposal).toMatchObject({
    status: 'FAILED',
    failureReason: expect.stringMatching(/^WrongState: the escrow /),
  })
})

test('a reorganisation takes the execution back, and it is carried out again', async () => {
  const [one, two] = api.safeOwners
  const { id, agentWallet } = await api.newDispute()
  await propose(id, 5000)
  await signAndConfirm(id, one)
  await signAndConfirm(id, two)
  await api.engine.runUntilIdle()
  expect(await proposalOf(id)).toMatchObject({ txHash: expect.any(String) })
  await api.chaos.reorganise(1, () => false)
  await api.engine.runUntilIdle()
  await api.engine.runUntilIdle()
  const actions = await actionsOf(id)
  expect(actions.slice(-3)).toEqual(['ruling.executed', 'ruling.reopened', 'ruling.executed'])
  expect(await api.balanceOf(agentWallet)).toBe(490_000_000n)
})

describe('409', () => {
  test('for a dispute that is closed, or has not reached the chain', async () => {
    const [closed, early] = [await api.newDispute(), await api.newFundedJob()]
    await api.act(api.seller, closed.id, 'refund')
    await api.runUntilIdle()
    const impatient = await api.startBeside({ settlementWaitMs: 0 })
    const disputed = await impatient.http.inject({
      method: 'POST',
      url: `/api/jobs/${early.id}/dispute`,
      headers: api.client.headers,
      payload: { reason: 'Half is missing.' },
    })
    expect(disputed.statusCode).toBe(202)
    for (const { id, status, message } of [
      { id: closed.id, status: 'CANCELLED', message: 'The dispute is closed.' },
      { id: early.id, status: 'IN_PROGRESS', message: 'The dispute has not reached the chain yet.' },
    ]) {
      const response = await propose(id, 5000)
      expect([response.statusCode, response.json().error.message]).toEqual([409, message])
      expect(response.json().error.details).toMatchObject({ status, allowed: ['DISPUTED'] })
      expect(await api.entriesOf(id)).toEqual([])
    }
    const open = (await api.get('/disputes?status=OPEN&limit=100', headers)).json().data
    const closedOnes = (await api.get('/disputes?status=CLOSED&limit=100', headers)).json().data
    expect(closedOnes.disputes).toContainEqual({
      job: expect.objectContaining({ id: closed.id, status: 'CANCELLED', escrowState: 'REFUNDED' }),
      dispute: expect.objectContaining({ openedBy: 'CLIENT', reason: 'Half is missing.' }),
      proposal: null,
      failedProposal: null,
    })
    const statuses = (list: { job: { status: string } }[]) => new Set(list.map(({ job }) => job.status))
    expect(statuses(closedOnes.disputes)).not.toContain('DISPUTED')
    // The early one is open too, and shown as the chain has it.
    expect(statuses(open.disputes)).toEqual(new Set(['DISPUTED', 'IN_PROGRESS']))
    expect(open.total).toBe(open.disputes.length)
    expect(open.disputes.some(({ proposal }: { proposal: unknown }) => proposal !== null)).toBe(true)
    await api.runUntilIdle()
  })

  test('a signature when enough are there', async () => {
    const [one, two, three] = api.safeOwners
    const { id } = await api.newDispute()
    await propose(id, 5000)
    const late = await sign(id, three)
    await signAndConfirm(id, one)
    await signAndConfirm(id, two)
    const response = await confirm(id, late)
    expect(response.statusCode).toBe(409)
    expect(response.json().error.details).toMatchObject({ status: 'SIGNED', allowed: ['OPEN'] })
    await api.engine.runUntilIdle()
  })
})

describe('400', () => {
  let id: string
  beforeAll(async () => {
    id = (await api.newDispute()).id
  })

  test.each([-1, 10_001, 0.5, '5000', null])('for the share %j', async (sellerBps) => {
    const response = await api.post(`/disputes/${id}/ruling`, headers, { sellerBps })
    expect(response.statusCode).toBe(400)
  })
})

describe('another arbiter', () => {
  test('rulings are refused with the reason, one that was signed fails, and go on when the Safe is back', async () => {
    const [one, two] = api.safeOwners
    const { chaos, engine, stranger } = api
    const { escrow, arbiter } = chaos.addresses
    const { id, agentWallet } = await api.newDispute()
    await propose(id, 10_000)
    await signAndConfirm(id, one)
    // The Safe's own transaction takes its nonce, so the ruling that is signed next would be out of date by that alone.
    await api.execute(stranger, await asArbiter(chaos, proposeRole(escrow, 'arbiter', stranger.address)))
    await propose(id, 10_000)
    const late = await sign(id, one)
    await signAndConfirm(id, two)
    await api.execute(stranger, acceptRole(escrow, 'arbiter'))
    // Enough have signed before the change was read: the escrow refuses it.
    await confirm(id, late)
    await engine.runUntilIdle()
    expect((await disputeOf(id)).failedProposal).toMatchObject({
      failureReason: expect.stringContaining('the escrow takes rulings from another arbiter'),
    })
    const refused = await propose(id, 10_000)
    expect(refused.statusCode).toBe(409)
    expect(refused.json().error.message).toContain(stranger.address)
    expect(refused.json().error.details).toMatchObject({ status: 'ARBITER_CHANGED' })
    expect((await confirm(id, late)).statusCode).toBe(409)

    await api.execute(stranger, proposeRole(escrow, 'arbiter', arbiter))
    await api.execute(stranger, await asArbiter(chaos, acceptRole(escrow, 'arbiter')))
    await engine.runUntilIdle()
    expect((await propose(id, 10_000)).statusCode).toBe(201)
    await signAndConfirm(id, one)
    await signAndConfirm(id, two)
    await engine.runUntilIdle()
    expect(await proposalOf(id)).toMatchObject({ status: 'EXECUTED' })
    expect(await api.balanceOf(agentWallet)).toBe(980_000_001n)
    expect(await api.breaches()).toEqual([])
  })
})
