import { createCdpWallets } from './cdp.ts'
import { startCdpStub } from './testing/cdp-stub.ts'
import { describeWallets } from './testing/conformance.ts'

describeWallets('CDP', async (token) => {
  const stub = await startCdpStub()
  const open = () => createCdpWallets({ ...stub.credentials, url: stub.url, token })
  return {
    wallets: await open(),
    secrets: async () => [stub.credentials.apiKeySecret, stub.credentials.walletSecret],
    async takeDown() {
      stub.intercept((_request, response) => {
        response.writeHead(503).end()
        return true
      })
    },
    async bringBack() {
      stub.intercept(undefined)
      return await open()
    },
    close: stub.close,
  }
})
