import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CdpWallets, startCdpWallets } from '../../../ports/wallets/testing/start-cdp-wallets.ts'
import { startWithdrawals } from '../testing/start-withdrawals.ts'

/** Where somebody else holds the keys, whom a wallet may pay is written there. Refunds have their tests in jobs. */

const HOLDING = 5_000_000n

let cdp: CdpWallets
let api: Awaited<ReturnType<typeof startWithdrawals>>
beforeAll(async () => {
  cdp = await startCdpWallets()
  api = await startWithdrawals({ ports: () => ({ wallets: cdp.wallets }) })
})
afterAll(async () => {
  await api.close()
  await cdp.stub.close()
})

test('a withdrawal is signed for the owner, and for nobody else', async () => {
  const { headers, address, agent } = await api.newSeller(2n * HOLDING)
  const { walletId } = agent
  const withdraw = async () => {
    const asked = await api.withdraw(headers, agent.id, HOLDING)
    expect(asked.statusCode).toBe(201)
    await api.engine.runUntilIdle()
    return api.read(headers, asked.json().data.id)
  }
  const allow = (payee: string) => cdp.wallets.updateLimits({ walletId, limits: { payees: [payee] } })

  await allow(address)
  expect(await withdraw()).toMatchObject({ status: 'CONFIRMED' })
  expect(await api.balanceOf(address)).toBe(HOLDING)

  await allow(api.bank.address)
  expect(await withdraw()).toMatchObject({
    status: 'FAILED',
    failureReason: expect.stringContaining('refused to sign'),
  })
  expect(await api.balanceOf(address)).toBe(HOLDING)
  expect(await api.balanceOf(agent.wallet)).toBe(HOLDING)
  expect(await api.breaches()).toEqual([])
})
