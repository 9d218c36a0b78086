import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMarketplaceClient, type MarketplaceClient, usdc } from '../packages/sdk/src/index.ts'
import { openFeed } from './live-feed.ts'
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
  const child = spawn(program, [join(import.meta.dirname, path)], {
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
