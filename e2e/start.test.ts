import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, expect, test } from 'vitest'
import { createStockBuyer } from './programs/stock-buyer.ts'
import {
  endServices,
  freePort,
  runService,
  startService,
  temporaryDirectory,
} from './service/service-process.ts'

const directory = temporaryDirectory()
afterAll(async () => {
  await endServices()
  directory.remove()
})

const wallet = privateKeyToAccount(generatePrivateKey())

async function call(url: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const init = body
    ? {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', ...headers },
      }
    : { headers }
  const response = await fetch(url + path, init)
  return { status: response.status, body: await response.json() }
}

async function signIn(url: string, signer = wallet): Promise<{ ownerId: string; authorization: string }> {
  const { body: asked } = await call(url, '/api/auth/request-nonce', { walletAddress: signer.address })
  const signature = await signer.signMessage({ message: asked.data.message })
  const { body } = await call(url, '/api/auth/verify-signature', {
    walletAddress: signer.address,
    nonce: asked.data.nonce,
    signature,
  })
  return { ownerId: body.owner.id, authorization: `Bearer ${body.data.token}` }
}

test('the service starts, stops cleanly, and after kill -9 of everything finds all it had', async () => {
  const port = await freePort()
  const options = { dataDir: join(directory.path, 'data'), port }
  const first = await startService({ ...options, asCommand: true })
  const session = await signIn(first.url)

  const second = await runService({ ...options, port: await freePort() })
  expect(second.code).toBe(1)
  expect(second.output).toMatch(
    /^The data directory .* is in use by another running service \(process \d+\)\.\n$/,
  )

  expect(await first.end('SIGTERM')).toBe(0)

  const third = await startService(options)
  expect((await call(third.url, '/api/auth/session', undefined, session)).body.data.owner.id).toBe(
    session.ownerId,
  )
  const postgresPid = Number(readFileSync(postmasterPidFile(options.dataDir), 'utf8').split('\n')[0])
  process.kill(postgresPid, 'SIGKILL')
  await third.end('SIGKILL')

  const fourth = await startService(options)
  expect((await call(fourth.url, '/api/auth/session', undefined, session)).body.data.owner.id).toBe(
    session.ownerId,
  )
  // As a terminal does it: the signal comes once by itself and once more through each process in between.
  fourth.process.kill('SIGINT')
  fourth.process.kill('SIGINT')
  expect(await fourth.end('SIGINT')).toBe(0)
  expect(existsSync(postmasterPidFile(options.dataDir))).toBe(false)
})

test('a start that is interrupted stops cleanly at every stage, and the next one makes all of the demo data', async () => {
  const dataDir = join(directory.path, 'interrupted')
  const port = await freePort()
  const environment = { DEMO: 'on', LOG_LEVEL: 'info', PUBLIC_URL: `http://127.0.0.1:${port}` }
  const options = { dataDir, port, environment }
  for (const stage of ['0001_foundation', 'week 4 of 12']) {
    const service = await startService(options, stage)
    expect(await service.end('SIGINT'), service.output()).toBe(0)
    expect(service.output()).not.toContain('"level":50')
    expect(existsSync(postmasterPidFile(dataDir))).toBe(false)
  }
  const whole = await startService(options)
  expect(whole.output()).toContain('The demo data is there')
  // The 40 of the demo, and the house agents once they are registered on chain.
  const total = async () => (await call(whole.url, '/api/agents/search')).body.data.total
  await expect.poll(total).toBe(43)
  const example = join(import.meta.dirname, '../examples/first-order.sh')
  const { stdout } = await promisify(execFile)('sh', [example, whole.url])
  expect(stdout).toBe('CSV Cleaner delivered for 0.25 USDC:\nname,price\nTea,3.50\n\n')

  // The same by a stock x402 client, which has a wallet and no account.
  const faucet = { address: wallet.address, amount: '250000' }
  expect((await call(whole.url, '/api/sandbox/faucet', faucet)).status).toBe(200)
  const buyer = createStockBuyer(wallet, `${whole.url}/api/x402/facilitator`)
  const found = (await buyer.find('clean a csv')).find(({ name }) => name === 'Clean a CSV table')
  if (!found) throw new Error('the house agent is not in the catalogue')
  const ordered = await buyer.order(found, { csv: 'name ;price\r\n Tea;3.50\r\n' })
  expect([ordered.status, ordered.data.result?.output]).toMatchObject([
    200,
    { csv: 'name,price\nTea,3.50\n', rows: 1, columns: 2 },
  ])
  expect(await whole.end('SIGTERM')).toBe(0)
})

test('a taken port, a bad setting and a database that is away are one clear line each', async () => {
  const port = await freePort()
  const blocker = createServer().listen(port, '127.0.0.1')
  const taken = await runService({ dataDir: join(directory.path, 'other'), port })
  expect(taken).toEqual({
    code: 1,
    output: `Cannot start: port ${port} is taken. Stop what uses it or set PORT.\n`,
  })
  blocker.close()

  const bad = await runService({
    dataDir: join(directory.path, 'other'),
    port,
    environment: { MODE: 'staging' },
  })
  expect(bad).toEqual({ code: 1, output: 'Cannot start: MODE must be one of sandbox, production.\n' })

  const away = await runService({
    dataDir: join(directory.path, 'other'),
    port,
    environment: { DATABASE_URL: `postgres://me:hunter2@127.0.0.1:${await freePort()}/market` },
  })
  expect(away.code).toBe(1)
  expect(away.output).toMatch(
    /^Cannot start: no connection to the database \(connect ECONNREFUSED \S+\)\. Check DATABASE_URL\.\n$/,
  )
})

test('a request that has begun when SIGTERM comes still completes, and a stream that stays open holds nothing up', async () => {
  const port = await freePort()
  const service = await startService({ dataDir: join(directory.path, 'stopping'), port })
  const { authorization } = await signIn(service.url)
  const stream = await fetch(`${service.url}/api/notifications/stream`, { headers: { authorization } })
  expect(stream.status).toBe(200)
  const body = JSON.stringify({ walletAddress: wallet.address })
  const socket = connect(port, '127.0.0.1')
  socket.write(
    `POST /api/auth/request-nonce HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`,
  )
  socket.write(`Content-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`)
  // A response to another request shows that the service has read what was sent before it.
  await call(service.url, '/health/live')
  const ended = service.end('SIGTERM')
  await expect
    .poll(() =>
      fetch(`${service.url}/health/live`).then(
        () => 'answers',
        () => 'closed',
      ),
    )
    .toBe('closed')
  socket.write(body.slice(5))
  let reply = ''
  for await (const chunk of socket) {
    reply += chunk
    if (reply.includes('"nonce"')) break
  }
  expect(reply).toMatch(/^HTTP\/1\.1 200 /)
  // After ten seconds it would have ended by force, with 1.
  expect(await ended).toBe(0)
})

test('SIGTERM under load ends the service, and what was acknowledged until then is there', async () => {
  const options = {
    dataDir: join(directory.path, 'loaded'),
    port: await freePort(),
    environment: { RATE_LIMITS: 'off' },
  }
  const service = await startService(options)
  const acknowledged: string[] = []
  const unexpected: string[] = []
  const { authorization } = await signIn(service.url)
  const stream = await fetch(`${service.url}/api/notifications/stream`, { headers: { authorization } })
  expect(stream.status).toBe(200)
  const signInUntilClosed = async () => {
    for (;;) {
      const signer = privateKeyToAccount(generatePrivateKey())
      const session = await signIn(service.url, signer).catch((error) => {
        // A connection that is refused or cut has a cause; a response that is no session has none.
        if (error.cause === undefined) unexpected.push(String(error))
      })
      if (!session) return
      acknowledged.push(session.authorization)
    }
  }
  const clients = Array.from({ length: 6 }, signInUntilClosed)
  await expect.poll(() => acknowledged.length).toBeGreaterThan(20)
  expect(await service.end('SIGTERM')).toBe(0)
  await Promise.all(clients)
  expect(unexpected).toEqual([])

  const again = await startService(options)
  const statuses = await Promise.all(
    acknowledged.map(
      async (authorization) =>
        (await call(again.url, '/api/auth/session', undefined, { authorization })).status,
    ),
  )
  expect(new Set(statuses)).toEqual(new Set([200]))
  await again.end('SIGTERM')
})

function postmasterPidFile(dataDir: string): string {
  return join(dataDir, 'postgres', 'postmaster.pid')
}
