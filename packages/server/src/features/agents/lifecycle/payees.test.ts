import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WalletLimits } from '../../../ports/wallets/port.ts'
import { formB, startAgents, type TestAgents } from '../testing/start-agents.ts'

let api: TestAgents
beforeAll(async () => {
  api = await startAgents()
})
afterAll(() => api.close())

test('the wallet of an agent may pay its owner alone, also after its limits have changed', async () => {
  const asked: WalletLimits[] = []
  api.wallets.port = {
    ...api.embedded,
    provision(request) {
      asked.push(request.limits)
      return api.embedded.provision(request)
    },
    updateLimits(request) {
      asked.push(request.limits)
      return api.embedded.updateLimits(request)
    },
  }
  const seller = await api.newSeller()
  const { walletAddress } = (await api.create(seller, formB)).json().data
  const change = { guardrails: { perTxLimitUsdc: '7' } }
  await api.send('PATCH', `/api/agents/${walletAddress}`, seller.headers, change)
  const payees = [seller.walletAddress]
  expect(asked).toMatchObject([{ payees }, { payees, perTxLimitMicro: 7n }])
})
