import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMarketplaceClient, type MarketplaceClient, usdc } from '../packages/sdk/src/index.ts'
import { createBalances } from './client.ts'
import { openFeed } from './live-feed.ts'
import { type CliUser, runCli } from './service/cli-process.ts'
import { preparedDirectory } from './service/prepared-directory.ts'
import { endServices, freePort, type ServiceProcess, startService } from './service/service-process.ts'

/** Agents that know nothing of the SDK: real processes that take jobs over HTTP. */

const directory = preparedDirectory()
const children = new Set<ChildProcess>()
let service: ServiceProcess
let buyer: MarketplaceClient

const newClient = () =>
  createMarketplaceClient({ baseUrl: service.url, account: privateKeyToAccount(generatePrivateKey()) })

beforeAll(async () => {
  service = await startService({
    dataDir: `${directory.path}/data`,
    port: await freePort(),
    environment: { RATE_LIMITS: 'off' },
  })
  buyer = newClient()
  await buyer.sandboxFaucet({ amount: usdc('1000') })
})
afterAll(async () => {
  await Promise.all(
    [...children].map(async (child) => {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
    }),
  )
  await endServices()
  directory.remove()
})

async function newAgent(name: string) {
  const seller = newClient()
  await seller.registerOwner({
    entityType: 'COMPANY',
    entityName: name,
    country: 'GB',
    email: 'agent@example.com',
  })
  await seller.setSandboxKyc({ status: 'VERIFIED', feePaid: true })
  const { id, walletAddress } = await seller.createAgent({ name, type: 'writing', bio: 'Writes.' })
  return { seller, id, wallet: walletAddress }
}

/** An agent's program. `line` resolves once it has printed the words, `kill` once it is gone. */
function runAgent(program: string, path: string, environment: Record<string, string>) {
  const child = spawn(program, [resolve(import.meta.dirname, path)], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.add(child)
  const exited = once(child, 'exit').finally(() => children.delete(child))
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  return {
    async line(words: string): Promise<void> {
      for (;;) {
        const { value, done } = await lines.next()
        if (done) throw new Error(`the agent ended without: ${words}`)
        if (value === words) return
      }
    },
    async kill(): Promise<void> {
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** Its responses: to the connection, and to the test job. */
async function runConnectScript(given: string[], token: string) {
  const script = join(import.meta.dirname, '../examples/connect-agent.sh')
  const env = { PATH: process.env.PATH, API_KEY: token }
  const { stdout } = await promisify(execFile)('sh', [script, ...given], { env })
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

const programs = [
  ['Node', process.execPath, 'http-agent.ts'],
  ['Python', 'python3', 'http_agent.py'],
] as const
const runs = (program: string) => spawnSync(program, ['--version']).status === 0
if (!runs('python3')) process.stderr.write('No python3 here: the agent in Python is not tested.\n')

test.each(programs.filter(([, program]) => runs(program)))(
  'an agent on %s alone is connected with curl, tested, hired, delivers and is paid',
  async (name, program, example) => {
    const { seller, id: agentId, wallet } = await newAgent(name)
    const port = String(await freePort())
    const url = `http://127.0.0.1:${port}/`
    const { token } = await seller.signIn()
    const connect = () => runConnectScript([service.url, wallet, url], token)
    const [connected, tooEarly] = await connect()
    expect(tooEarly.data).toMatchObject({ ok: false, verdict: 'The connection was refused.' })
    const { secret } = connected.data
    const agent = runAgent(program, `../examples/${example}`, { PORT: port, AGENT_SECRET: secret })
    await agent.line('Waiting for jobs')
    // Nobody but the marketplace can give it work.
    expect((await fetch(url, { method: 'POST', body: '{"job":{}}' })).status).toBe(401)
    const [, tested] = await connect()
    expect(tested.data).toMatchObject({ ok: true, status: 200, verdict: 'The agent delivered a result.' })

    const job = await buyer.hire({
      agentId,
      title: 'Two lines',
      description: 'About the sea.',
      agreedPrice: usdc('150'),
    })
    const delivered = await buyer.waitForJob(job.id, 'UNDER_REVIEW')
    expect(delivered.delivery?.content).toBe('Here is “Two lines”: About the sea.')
    expect(await seller.getAgentConnection(wallet)).toMatchObject({
      kind: 'HTTP',
      lastCall: { ok: true, responseStatus: 200 },
      dispatches: [{ jobId: job.id, state: 'DELIVERED', attempts: 1 }],
    })
    await buyer.approveJob(job.id)
    await expect.poll(async () => (await buyer.getJob(job.id)).escrowState).toBe('RELEASED')
  },
)

test('an agent that takes its time reports, asks, is killed twice, brings three files, delivers once and is paid', async () => {
  const { seller, id: agentId, wallet } = await newAgent('Poet')
  const port = String(await freePort())
  const start = async (more: Record<string, string> = {}) => {
    const environment = { PORT: port, JOBS_FILE: `${directory.path}/jobs.json`, SELLER_TOKEN: token, ...more }
    const started = runAgent(process.execPath, 'programs/http-worker.ts', environment)
    await started.line(`Waiting for jobs on port ${port}`)
    return started
  }
  const { token } = await seller.signIn()
  await seller.setAgentConnection(wallet, { kind: 'HTTP', url: `http://127.0.0.1:${port}/` })
  let agent = await start()

  const feed = await openFeed(service.url, buyer)
  const job = await buyer.hire({
    agentId,
    title: 'Two lines',
    description: 'About the sea.',
    agreedPrice: usdc('150'),
  })
  await feed.untilHeard(
    { type: 'JOB_PROGRESS', words: 'Reading the order' },
    { type: 'JOB_MESSAGE', words: 'Which sea?' },
  )
  // Once while the question is open, and once with two of three files brought.
  await agent.kill()
  agent = await start({ WAIT_AFTER: 'sea.bin' })
  await buyer.sendJobMessage(job.id, { text: 'North Sea' })
  await agent.line('Brought sea.bin')
  await agent.kill()
  agent = await start()
  await agent.line('Delivered twice')

  const { delivery, deliveries } = await buyer.waitForJob(job.id, 'UNDER_REVIEW')
  expect([deliveries.length, delivery?.content]).toEqual([1, 'Two lines about the North Sea.'])
  const files = delivery?.files ?? []
  expect(files.map(({ name, mediaType }) => [name, mediaType])).toEqual([
    ['Two lines – final.md', 'text/markdown'],
    ['sea.bin', 'application/octet-stream'],
    ['depths.csv', 'text/csv'],
  ])
  const bytes = await Promise.all(files.map(({ id }) => buyer.downloadJobFile(job.id, id)))
  expect(bytes.map((each) => Buffer.from(each))).toEqual([
    Buffer.from('# North Sea\n'),
    Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)),
    Buffer.from('sea,metres\nNorth Sea,95\n'),
  ])
  const steps: string[] = []
  for await (const { step } of buyer.listJobProgress(job.id)) steps.push(step)
  const messages: string[] = []
  for await (const { text } of buyer.listJobMessages(job.id)) messages.push(text)
  expect([steps, messages]).toEqual([['Reading the order'], ['North Sea', 'Which sea?']])
  expect(await seller.getAgentConnection(wallet)).toMatchObject({
    dispatches: [{ jobId: job.id, state: 'DELIVERED', attempts: 1, error: null }],
  })
  await buyer.approveJob(job.id)
  await expect.poll(async () => (await buyer.getJob(job.id)).escrowState).toBe('RELEASED')
})

test('in a terminal: agents are written and pass their test job; a buyer signs in, hires them and is charged once', async () => {
  const environment = { AGENT_MARKETPLACE_PASSWORD: 'correct horse battery' }
  const user: CliUser = { home: `${directory.path}/cli`, url: service.url, environment }
  const codeOf = async (...args: string[]) => (await runCli(user, args)).code
  const done = async (args: string[], input?: string) => {
    const { code, stdout, stderr } = await runCli(user, args, input)
    expect([code, stderr], args.join(' ')).toEqual([0, stderr])
    return stdout
  }
  /** Written by the command, connected and tested. */
  const startScaffold = async (language: string, program: string, file: string, price: string) => {
    const place = `${directory.path}/${language}`
    await done(['init-agent', place, '--language', language])
    const { seller, wallet } = await newAgent(`Poet in ${language}`)
    await seller.updateAgent(wallet, { services: [{ name: 'Two lines', priceUSDC: usdc(price) }] })
    const port = String(await freePort())
    const url = `http://127.0.0.1:${port}/`
    const { secret } = await seller.setAgentConnection(wallet, { kind: 'HTTP', url })
    const agent = runAgent(program, `${place}/${file}`, { PORT: port, AGENT_SECRET: secret ?? '' })
    await agent.line(`Waiting for jobs on port ${port}`)
    // A test job waits for seconds only, and a busy machine may need more: then the next one passes.
    await expect.poll(async () => (await seller.testAgentConnection(wallet)).ok).toBe(true)
    return wallet
  }
  const { usdc: token } = await buyer.getConfig()
  const balancesOf = createBalances(service.url, token.address)
  const result = 'Here is “Two lines”: About the sea.\n'

  const wallet = await startScaffold('typescript', process.execPath, 'agent.ts', '12.50')
  // Nobody is signed in yet.
  expect(await codeOf('jobs')).toBe(3)
  const key = generatePrivateKey()
  const { address } = privateKeyToAccount(key)
  expect(await done(['login', '--import'], `${key}\n`)).toContain(address)
  expect(statSync(`${user.home}/keystore.json`).mode & 0o777).toBe(0o600)
  expect(await done(['search', 'Poet in typescript'])).toContain(wallet)

  const hire = ['hire', wallet, 'two lines', '--input', '{"task":"About the sea."}', '--key', 'sea', '--yes']
  expect(await codeOf(...hire, '--max-price', '12.49')).toBe(4)
  // The wallet is empty: the job waits for its payment, and the same purchase goes on once there is money.
  expect(await codeOf(...hire)).toBe(4)
  await done(['faucet', '1000'])
  const before = await balancesOf({ address })
  await Promise.all([codeOf('hire', '--key', 'sea'), codeOf('hire', '--key', 'sea')])
  expect(await done([...hire, '--wait'])).toBe(result)
  const after = await balancesOf({ address })
  expect(before.address - after.address).toBe(BigInt(usdc('12.50')))
  const listed = JSON.parse(await done(['jobs', '--json']))
  expect(listed).toMatchObject([{ paymentMethod: 'X402', status: 'COMPLETED' }])
  const watched = await runCli(user, ['watch', listed[0].id])
  expect([watched.code, watched.stdout]).toEqual([0, result])
  expect(watched.stderr).toContain('10% Reading the order')

  if (!runs('python3')) return
  const other = await startScaffold('python', 'python3', 'agent.py', '150')
  expect(await done(['hire', other, '--input', '{"task":"About the sea."}', '--yes', '--wait'])).toBe(result)
  const last = await balancesOf({ address })
  expect(after.address - last.address).toBe(BigInt(usdc('150')))
})
