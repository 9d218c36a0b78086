import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterAll, expect, test } from 'vitest'
import { signIn } from './client.ts'
import { endServices, freePort, startService, temporaryDirectory } from './service/service-process.ts'

const directory = temporaryDirectory()
afterAll(async () => {
  await endServices()
  directory.remove()
})

test('a reset throws the database, the chain and the sessions away, and the service comes back by itself', async () => {
  const service = await startService({ dataDir: directory.path, port: await freePort() })
  const client = await signIn(service.url)
  await client.post('/api/sandbox/faucet', { address: client.wallet.address, amount: '5000000' })
  await client.post('/api/sandbox/clock', { advanceSeconds: 86_400 })
  const walletsBefore = (await client.get('/api/sandbox/wallets')).body.data.wallets

  expect((await client.post('/api/sandbox/reset', { confirm: 'yes' })).status).toBe(400)
  expect((await client.get('/api/auth/session')).status).toBe(200)

  const lines = createInterface(service.process.stdout as NodeJS.ReadableStream)
  const readyAgain = (async () => {
    for await (const line of lines) if (line.includes('is ready at')) return
    await once(service.process, 'exit')
  })()
  expect((await client.post('/api/sandbox/reset', { confirm: 'RESET' })).status).toBe(202)
  await readyAgain

  expect((await client.get('/api/auth/session')).status).toBe(401)
  const { body } = await client.post('/api/sandbox/faucet', { address: client.wallet.address, amount: '1' })
  expect(body.data.balance).toBe('1')
  expect((await client.get('/api/sandbox/wallets')).body.data.wallets).not.toEqual(walletsBefore)
  const { data } = (await client.get('/api/config')).body
  expect(Math.abs(new Date(data.now).getTime() - Date.now())).toBeLessThan(60_000)

  expect(await service.end('SIGTERM')).toBe(0)
  const next = await startService({ dataDir: directory.path, port: await freePort() })
  const same = await signIn(next.url, client.wallet)
  expect(
    (await same.post('/api/sandbox/faucet', { address: client.wallet.address, amount: '1' })).body.data
      .balance,
  ).toBe('2')
})
