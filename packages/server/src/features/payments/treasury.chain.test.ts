import { deriveRoles } from '@agent-marketplace/chain/devnet'
import { KYC_FEE_MICRO } from '@agent-marketplace/contract'
import { decodePaymentRequiredHeader } from '@x402/core/http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allInvariants } from '../../invariants.ts'
import { checkInvariants } from '../../money/audit/invariants.ts'
import { acceptRole, proposeRole } from '../../money/testing/role-calls.ts'
import type { Hex } from '../../ports/chain/port.ts'
import type { Offer } from '../../ports/payments/port.ts'
import { PATIENCE_MS } from '../../testing/patience.ts'
import { newWallet, type SignedInOwner, signIn } from '../../testing/sign-in.ts'
import { headerOf, signPayment } from '../../testing/sign-payment.ts'
import { startWorld, type World } from '../../testing/start-world.ts'

/** From outside, on the whole app, in a process that did not read the change itself: it only asks the database. */
const admin = newWallet()
const { treasury: former, safeOwner1: successor } = deriveRoles(`0x${'11'.repeat(32)}`)
let app: World
let seller: SignedInOwner
beforeAll(async () => {
  app = await startWorld({ environment: { ADMIN_WALLETS: admin.address }, settlementWaitMs: PATIENCE_MS })
  seller = await signIn(app.http)
})
afterAll(() => app.close())

const configOf = async () => (await app.http.inject({ url: '/api/config' })).json().data
const payFee = (headers: Record<string, string> = {}) =>
  app.http.inject({
    method: 'POST',
    url: '/api/owners/kyc/fee',
    headers: { ...seller.bearer, ...headers },
  })

async function offerOfFee(): Promise<Offer> {
  const response = await payFee()
  expect(response.statusCode).toBe(402)
  const [offer] = decodePaymentRequiredHeader(String(response.headers['payment-required'])).accepts
  return offer as Offer
}

test('the settings say who keeps the wallets and who holds the roles', async () => {
  const { contracts, custody } = await configOf()
  expect(custody).toEqual({ isTee: false, statement: expect.stringMatching(/\w/) })
  expect(contracts).toMatchObject({
    treasury: app.chain.facts.contracts.treasury,
    arbiter: app.chain.facts.contracts.arbiter,
  })
})

test('another treasury: settings, fee, facilitator and books follow; admins are alarmed and the audit log has it', async () => {
  const { http, money, chain } = app
  const { bearer } = await signIn(http, admin)
  const before = await offerOfFee()
  const escrow = chain.facts.contracts.escrow as Hex
  await app.execute(former, proposeRole(escrow, 'treasury', successor.address))
  await app.execute(successor, acceptRole(escrow, 'treasury'))
  await money.runUntilIdle()

  expect((await configOf()).contracts.treasury).toBe(successor.address)
  const offer = await offerOfFee()
  expect([before.payTo, offer.payTo]).toEqual([former.address, successor.address])

  const buyer = newWallet()
  await app.give(buyer.address, 2n * KYC_FEE_MICRO)
  for (const [asked, isValid] of [
    [before, false],
    [offer, true],
  ] as const) {
    const { payment } = await signPayment(app, buyer, asked)
    const { 'payment-signature': header } = headerOf({ payment, offer: asked })
    const verdict = await http.inject({
      method: 'POST',
      url: '/api/x402/facilitator/verify',
      headers: bearer,
      payload: {
        x402Version: 2,
        paymentPayload: JSON.parse(Buffer.from(header, 'base64').toString()),
        paymentRequirements: asked,
      },
    })
    expect(verdict.json()).toMatchObject({ isValid })
  }
  // What was signed for the old address is requested again; nothing is sent.
  expect((await payFee(headerOf(await signPayment(app, buyer, before)))).statusCode).toBe(402)
  const paid = await app.whileWorking(payFee(headerOf(await signPayment(app, buyer, offer))))
  expect(paid.statusCode).toBe(200)
  expect((await payFee()).json().data.payment.status).toBe('SETTLED')
  expect(await chain.usdc.balanceOf(successor.address)).toBe(KYC_FEE_MICRO)

  const log = await http.inject({ url: '/api/admin/audit-log?subjectId=treasury', headers: bearer })
  expect(log.json().data.entries).toMatchObject([
    {
      action: 'role.changed',
      actorId: null,
      details: { before: { holder: former.address }, after: { holder: successor.address } },
    },
  ])
  const told = await http.inject({ url: '/api/notifications', headers: bearer })
  expect(told.body).toContain('The escrow has another treasury. Fees and sweeps go to the new one.')
  expect(await checkInvariants({ db: app.db, chain }, allInvariants)).toEqual([])
})
