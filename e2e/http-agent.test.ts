import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { connect as openSocket } from 'node:net'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMarketplaceClient, type MarketplaceClient, usdc } from '../packages/sdk/src/index.ts'
import { PATIENCE_MS } from '../packages/server/src/testing/patience.ts'
import { createBalances } from './client.ts'
import { openFeed } from './live-feed.ts'
import { type CliUser, cliCommand, runCli } from './service/cli-process.ts'
import { preparedDirectory } from './service/prepared-directory.ts'
import { endServices, freePort, type ServiceProcess, startService } from './service/service-process.ts'

/** Agents that know nothing of the SDK: real processes that take jobs over HTTP. */

const directory = preparedDirectory()
const children = new Set<ChildProcess>()
let service: ServiceProcess
let buyer: MarketplaceClient

/** A stranger's call that ends in the middle of its body: the agent lives on. */
async function abortCall(port: number): Promise<void> {
  const socket = openSocket(port, '127.0.0.1')
  socket.end('POST / HTTP/1.1\r\nHost: agent\r\nContent-Length: 10\r\n\r\nhalf')
  socket.resume()
  await once(socket, 'close')
}

/** A stranger's call that promises more than a job has: the agent does not wait for it. */
async function sendHuge(port: number): Promise<string> {
  const socket = openSocket(port, '127.0.0.1')
  socket.write('POST / HTTP/1.1\r\nHost: agent\r\nContent-Length: 1000000000\r\n\r\nhalf')
  let response = ''
  for await (const part of socket) response += part
  return response
}

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

async function newAgent(name: string, seller = newClient()) {
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
    await abortCall(Number(port))
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
    await abortCall(Number(port))
    expect(await sendHuge(Number(port))).toContain(' 413 ')
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

test('in a terminal: a seller delivers, sees what it earned, and makes a key that ends when it is revoked', async () => {
  const key = generatePrivateKey()
  const account = privateKeyToAccount(key)
  const seller = createMarketplaceClient({ baseUrl: service.url, account })
  const { wallet, id: agentId } = await newAgent('Poet at a desk', seller)
  const environment = { AGENT_MARKETPLACE_PASSWORD: 'correct horse battery' }
  const user: CliUser = { home: `${directory.path}/seller`, url: service.url, environment }
  const done = async (args: string[], input?: string) => {
    const { code, stdout, stderr } = await runCli(user, args, input)
    expect([code, stderr], args.join(' ')).toEqual([0, stderr])
    return stdout
  }
  await done(['login', '--import'], `${key}\n`)
  const job = await buyer.hire({
    agentId,
    title: 'Two lines',
    description: 'About the sea.',
    agreedPrice: usdc('20'),
  })
  await done(['deliver', job.id, '--file', '-', '--note', 'With care'], 'The sea, the sea.')
  const { status, delivery } = await buyer.getJob(job.id)
  expect([status, delivery?.content, delivery?.note]).toEqual(['COMPLETED', 'The sea, the sea.', 'With care'])
  await expect
    .poll(async () => JSON.parse(await done(['earnings', '--json'])).earnings)
    .toMatchObject([{ jobId: job.id }])

  const caps = ['--max-per-job', '5', '--max-total', '12.50', '--agent', wallet, '--category', 'finance']
  const made = await done(['keys', 'create', 'Desk', '--scope', 'read', '--days', '30', ...caps])
  const [listed] = JSON.parse(await done(['keys', '--json']))
  expect(listed).toMatchObject({
    name: 'Desk',
    scopes: ['read'],
    expiresAt: expect.any(String),
    budget: {
      caps: { perJob: '5000000', total: '12500000' },
      allowedAgents: [agentId],
      allowedCategories: ['finance'],
    },
  })
  expect(JSON.stringify(listed)).not.toContain(made.trim())
  expect(await done(['keys'])).toContain('5.00 a job, 12.50 in all')
  const byKey = {
    ...user,
    home: `${directory.path}/key`,
    environment: { AGENT_MARKETPLACE_API_KEY: made.trim() },
  }
  const jobs = await runCli(byKey, ['jobs', '--json'])
  expect([jobs.code, JSON.parse(jobs.stdout)]).toMatchObject([0, [{ id: job.id }]])
  await done(['keys', 'revoke', listed.id])
  const revoked = await runCli(byKey, ['jobs', '--json'])
  expect([revoked.code, JSON.parse(revoked.stderr).error.code]).toEqual([3, 'UNAUTHORIZED'])
  expect(revoked.stderr).not.toContain(made.trim())
})

test('over stdio: a model finds an agent, hires it with the wallet of this machine once, and never beyond the caps', async () => {
  const { seller, wallet } = await newAgent('Poet for models')
  const port = String(await freePort())
  await seller.updateAgent(wallet, { services: [{ name: 'Two lines', priceUSDC: usdc('2') }] })
  const { secret } = await seller.setAgentConnection(wallet, {
    kind: 'HTTP',
    url: `http://127.0.0.1:${port}/`,
  })
  const environment = { PORT: port, AGENT_SECRET: secret ?? '' }
  await runAgent(process.execPath, '../examples/http-agent.ts', environment).line('Waiting for jobs')

  const patient = { timeout: PATIENCE_MS }
  const key = generatePrivateKey()
  const { address } = privateKeyToAccount(key)
  const user: CliUser = {
    home: `${directory.path}/stdio`,
    url: service.url,
    environment: { AGENT_MARKETPLACE_PASSWORD: 'correct horse battery' },
  }
  const open = async (...caps: string[]) => {
    const client = new Client({ name: 'test', version: '1.0.0' })
    await client.connect(new StdioClientTransport(cliCommand(user, ['mcp', ...caps])), patient)
    const callTool = async (name: string, args: Record<string, unknown>) => {
      const { content, structuredContent } = await client.callTool({ name, arguments: args }, patient)
      return { text: String(Object(content[0]).text), data: Object(structuredContent) }
    }
    return { close: () => client.close(), callTool }
  }
  const serviceIdOf = async () => {
    const { data } = await buyer.call('searchAgents', { query: { q: 'Poet for models' } })
    return data.agents.find((agent) => agent.walletAddress === wallet)?.services[0]?.id
  }
  // A new agent is listed once it is registered.
  await expect.poll(serviceIdOf).toBeDefined()
  const serviceId = await serviceIdOf()
  const purchase = (name: string) => ({
    wallet,
    serviceId,
    input: { task: 'About the sea.' },
    idempotencyKey: `purchase-of-a-model-${name}`,
  })

  // Without a key of its own it signs nothing: a person can pay.
  const keyless = await open()
  const found = await keyless.callTool('search_agents', { query: 'Poet for models' })
  expect(found.data.agents).toContainEqual(expect.objectContaining({ wallet }))
  const asked = await keyless.callTool('hire', purchase('none'))
  expect(asked.data, asked.text).toMatchObject({ x402Version: 2 })
  expect(JSON.stringify(asked.data)).not.toContain('jobId')
  await keyless.close()

  expect((await runCli(user, ['login', '--import'], `${key}\n`)).code).toBe(0)
  expect((await runCli(user, ['faucet', '100'])).code).toBe(0)
  const { usdc: token } = await buyer.getConfig()
  const balancesOf = createBalances(service.url, token.address)
  const spent = async () => BigInt(usdc('100')) - (await balancesOf({ address })).address

  const caps = ['--max-per-job', '2', '--max-per-day', '6', '--max-total', '6']
  const [one, other] = await Promise.all([open(...caps), open(...caps)])
  // The same purchase, twice at once and later in another process, is one job and one payment.
  const [first, second] = await Promise.all([
    one.callTool('hire', purchase('first')),
    one.callTool('hire', purchase('first')),
  ])
  const { jobId } = first.data
  expect([second.data.jobId, first.data.caps]).toEqual([
    jobId,
    [
      {
        of: 'local wallet',
        perJobUsdc: '2.00',
        leftOfDayUsdc: '4.00',
        leftOfMonthUsdc: null,
        leftInAllUsdc: '4.00',
      },
    ],
  ])
  let { data: job } = await one.callTool('wait_for_job', { jobId })
  while (job.status === 'IN_PROGRESS') job = (await one.callTool('wait_for_job', { jobId })).data
  expect(job).toMatchObject({ status: 'COMPLETED', result: { text: 'Here is “Two lines”: About the sea.' } })
  expect((await other.callTool('hire', purchase('first'))).data).toMatchObject({ jobId, status: 'COMPLETED' })
  expect(await spent()).toBe(BigInt(usdc('2')))
  expect(
    (await one.callTool('hire', { ...purchase('first'), input: { task: 'Hills.' } })).data,
  ).toMatchObject({
    error: { code: 'CONFLICT' },
  })

  // What is left pays for two more, however many two processes try at once.
  const tried = await Promise.all(
    ['a', 'b', 'c', 'd'].map((name, at) => (at % 2 === 0 ? one : other).callTool('hire', purchase(name))),
  )
  const refused = tried.filter(({ data }) => data.error?.code === 'BUDGET_EXCEEDED')
  expect([refused.length, tried.length - refused.length]).toEqual([2, 2])
  await Promise.all([one.close(), other.close()])

  // A process that comes later knows what was signed, and a smaller cap holds as well.
  const last = await open('--max-per-job', '1.99')
  const dear = await last.callTool('hire', purchase('dear'))
  expect([dear.data.error.code, dear.text]).toEqual([
    'BUDGET_EXCEEDED',
    'It costs 2.00 USDC, and the local cap for one job is 1.99. Nothing was signed.',
  ])
  expect((await last.callTool('spending', {})).data).toMatchObject({
    caps: [{ of: 'local wallet', leftOfDayUsdc: '14.00', leftInAllUsdc: '94.00' }],
  })
  await last.close()
  await expect.poll(spent).toBe(BigInt(usdc('6')))
  expect(statSync(`${user.home}/spending/${address.toLowerCase()}.jsonl`).mode & 0o777).toBe(0o600)
})
