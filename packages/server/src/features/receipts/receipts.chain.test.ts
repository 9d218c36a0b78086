import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { readPdf } from '../../testing/read-pdf.ts'
import { createJobCalls, type JobCalls } from '../jobs/testing/job-calls.ts'
import { startJobs, type TestAgent, type TestJobs, type TestOwner } from '../jobs/testing/start-jobs.ts'

let world: TestJobs
let calls: JobCalls
let client: TestOwner
let seller: TestOwner
let admin: TestOwner
let agent: TestAgent

beforeAll(async () => {
  world = await startJobs()
  calls = createJobCalls(world)
  admin = await world.newAdmin()
})
beforeEach(async () => {
  seller = await world.newOwner({ kycStatus: 'VERIFIED' })
  client = await world.newOwner({ kycStatus: 'VERIFIED' })
  agent = await world.newAgent(seller)
  await nameOwner(seller, 'LLC', 'Swan Audits Ltd')
  await nameOwner(client, 'INDIVIDUAL', 'Ada Lovelace')
})
afterEach(async () => {
  expect(await world.breaches()).toEqual([])
})
afterAll(() => world.close())

const nameOwner = ({ ownerId }: TestOwner, type: string, name: string) =>
  world.db.run(sql`update owners set entity_type = ${type}, entity_name = ${name} where id = ${ownerId}`)

const ask = (viewer: TestOwner, jobId: string, ending = '') =>
  calls.get(viewer, `/api/jobs/${jobId}/receipt${ending}`)
const receiptOf = async (viewer: TestOwner, jobId: string) => (await ask(viewer, jobId)).json().data

async function paidDirectly(price = '5000000', more: object = {}): Promise<string> {
  await world.give(client.wallet.address, BigInt(price))
  const { jobId } = await calls.hire(client, agent, price, more)
  const header = await calls.x402Header(client.wallet, await calls.act(client, jobId, 'pay'))
  const paid = await world.whileWorking(calls.send(client, `/api/jobs/${jobId}/pay`, undefined, header))
  expect(paid.statusCode).toBe(200)
  return jobId
}

/** Every amount of the receipt fits every other one. */
function expectExact({ lines, totals }: { lines: { type: string; amount: string }[]; totals: Totals }) {
  const sumOf = (type: string) =>
    lines.filter((line) => line.type === type).reduce((sum, { amount }) => sum + BigInt(amount), 0n)
  expect([sumOf('PAYMENT'), sumOf('REFUND')]).toEqual([BigInt(totals.paid), BigInt(totals.refunded)])
  expect(BigInt(totals.cost)).toBe(BigInt(totals.paid) - BigInt(totals.refunded))
  if (totals.fee === null || totals.net === null) return
  expect(sumOf('FEE')).toBe(BigInt(totals.fee))
  const kept = BigInt(totals.refunded) + BigInt(totals.held) + BigInt(totals.fee) + BigInt(totals.net)
  expect(BigInt(totals.paid)).toBe(kept)
}
interface Totals {
  paid: string
  refunded: string
  held: string
  cost: string
  fee: string | null
  net: string | null
}

describe('a receipt', () => {
  test('of an escrow job follows the money: held, then paid out; the client’s copy leaves fee and net out', async () => {
    const jobId = await calls.hireAndFund(client, agent, '150000001')
    const held = await receiptOf(seller, jobId)
    expect(held).toMatchObject({ totals: { paid: '150000001', held: '150000001', fee: '0', net: '0' } })
    expectExact(held)
    await calls.act(seller, jobId, 'deliver', { content: 'Done.' })
    await calls.act(client, jobId, 'approve')
    await world.engine.runUntilIdle()

    const own = await receiptOf(seller, jobId)
    expectExact(own)
    expect(own).toMatchObject({
      number: held.number,
      copy: 'SELLER',
      status: 'COMPLETED',
      client: { legalName: null, walletAddress: client.wallet.address },
      seller: { legalName: 'Swan Audits Ltd', walletAddress: seller.wallet.address },
      network: { chainId: world.chain.facts.chainId, currency: 'USDC' },
      totals: {
        paid: '150000001',
        refunded: '0',
        held: '0',
        cost: '150000001',
        fee: '3000000',
        net: '147000001',
      },
      lines: [{ type: 'PAYMENT' }, { type: 'PAYOUT', amount: '147000001' }, { type: 'FEE' }],
    })
    for (const { txHash } of own.lines) expect(txHash).toMatch(/^0x[0-9a-f]{64}$/)

    const clients = await receiptOf(client, jobId)
    expectExact(clients)
    expect(clients).toMatchObject({
      number: own.number,
      copy: 'CLIENT',
      client: { legalName: 'Ada Lovelace' },
      seller: { legalName: 'Swan Audits Ltd' },
      totals: { paid: '150000001', cost: '150000001', fee: null, net: null },
      lines: [{ type: 'PAYMENT', amount: '150000001' }],
    })
    expect(await receiptOf(admin, jobId)).toMatchObject({
      copy: 'ADMIN',
      client: { legalName: 'Ada Lovelace' },
      totals: { fee: '3000000', net: '147000001' },
    })
  })

  test('of a job that a settlement divided says what came back, and what was kept', async () => {
    const jobId = await calls.hireAndFund(client, agent, '150000001')
    await calls.act(client, jobId, 'dispute', { reason: 'Half of it is missing.' })
    await calls.act(client, jobId, 'dispute/settlement', { sellerBps: 3333 })
    expect((await calls.act(seller, jobId, 'dispute/settlement/accept')).statusCode).toBe(200)
    await world.engine.runUntilIdle()
    const receipt = await receiptOf(seller, jobId)
    expectExact(receipt)
    expect(BigInt(receipt.totals.refunded)).toBeGreaterThan(0n)
    expect(BigInt(receipt.totals.net)).toBeGreaterThan(0n)
    expect(receipt.totals.held).toBe('0')
    expect(await world.chain.usdc.balanceOf(client.wallet.address)).toBe(BigInt(receipt.totals.refunded))
    expect(await world.chain.usdc.balanceOf(agent.wallet)).toBe(BigInt(receipt.totals.net))
  })

  test('of a direct payment has no fee, and shows its refund', async () => {
    const jobId = await paidDirectly()
    const paid = await receiptOf(seller, jobId)
    expectExact(paid)
    expect(paid.totals).toEqual({
      paid: '5000000',
      refunded: '0',
      held: '0',
      cost: '5000000',
      fee: '0',
      net: '5000000',
    })
    await world.whileWorking(calls.send(seller, `/api/jobs/${jobId}/refund`, { reason: 'Sorry.' }))
    const refunded = await receiptOf(seller, jobId)
    expectExact(refunded)
    expect(refunded).toMatchObject({
      number: paid.number,
      status: 'CANCELLED',
      totals: { paid: '5000000', refunded: '5000000', held: '0', cost: '0', fee: '0', net: '0' },
      lines: [{ type: 'PAYMENT' }, { type: 'PAYOUT' }, { type: 'REFUND', amount: '5000000' }],
    })
  })

  test('names nobody whom identity verification does not vouch for', async () => {
    await world.db.run(sql`update owners set kyc_status = 'REJECTED' where id = ${seller.ownerId}`)
    const jobId = await paidDirectly()
    expect((await receiptOf(seller, jobId)).seller.legalName).toBeNull()
  })
})

describe('the PDF', () => {
  test('says what the receipt says, and is the same bytes each time', async () => {
    const jobId = await paidDirectly('5000001', { title: 'Ревизия Ελλάς 会計 =HYPERLINK("x")' })
    const { number, lines } = await receiptOf(client, jobId)
    const [first, second] = [await ask(client, jobId, '.pdf'), await ask(client, jobId, '.pdf')]
    expect(first.statusCode).toBe(200)
    expect(first.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="receipt-${number}.pdf"`,
      'cache-control': 'no-store',
    })
    expect(first.rawPayload.equals(second.rawPayload)).toBe(true)
    const text = readPdf(first.rawPayload)
    for (const words of [
      number,
      'Client’s copy',
      'Ревизия Ελλάς \uFFFD\uFFFD =HYPERLINK("x")',
      '5.000001 USDC',
      'Swan Audits Ltd',
      'Ada Lovelace',
      lines[0].txHash,
      'does not have',
    ])
      expect(text).toContain(words)
    expect(text).not.toContain('Platform fee')
    expect(readPdf((await ask(seller, jobId, '.pdf')).rawPayload)).toContain('Platform fee')
  })
})

describe('404', () => {
  test('for strangers, for what never was, and for a job that is not paid', async () => {
    const jobId = await paidDirectly()
    const stranger = await world.newOwner()
    const { jobId: unpaid } = await calls.hire(client, agent, '5000000')
    for (const ending of ['', '.pdf']) {
      const responses = [
        await ask(stranger, jobId, ending),
        await ask(client, 'cnothing0000000000000000', ending),
        await ask(client, unpaid, ending),
        await ask(stranger, unpaid, ending),
      ]
      expect(responses.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404])
      // A stranger does not learn that the job exists.
      expect(responses[0]?.json().error.message).toBe(responses[1]?.json().error.message)
      expect(responses[3]?.json().error.message).toBe(responses[1]?.json().error.message)
    }
    const nobody = await world.http.inject({ url: `/api/jobs/${jobId}/receipt` })
    expect(nobody.statusCode).toBe(401)
  })
})
