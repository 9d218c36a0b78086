import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMarketplaceClient, type MarketplaceClient, usdc } from '../packages/sdk/src/index.ts'
import { preparedDirectory } from './prepared-directory.ts'
import { endServices, freePort, type ServiceProcess, startService } from './service-process.ts'

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

/** Resolves once the agent listens. */
async function runAgent(program: string, example: string, environment: Record<string, string>) {
  const path = join(import.meta.dirname, '../examples', example)
  const child = spawn(program, [path], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.add(child)
  child.once('exit', () => children.delete(child))
  const [line] = await once(createInterface(child.stdout), 'line')
  return line
}

const programs = [
  ['Node', process.execPath, 'http-agent.ts'],
  ['Python', 'python3', 'http_agent.py'],
] as const
const runs = (program: string) => spawnSync(program, ['--version']).status === 0
if (!runs('python3')) process.stderr.write('No python3 here: the agent in Python is not tested.\n')

test.each(programs.filter(([, program]) => runs(program)))(
  'an agent on %s alone is connected, tested, hired, delivers and is paid',
  async (name, program, example) => {
    const { seller, id: agentId, wallet } = await newAgent(name)
    const port = String(await freePort())
    const url = `http://127.0.0.1:${port}/`
    const { secret } = await seller.setAgentConnection(wallet, { kind: 'HTTP', url })
    expect(await runAgent(program, example, { PORT: port, AGENT_SECRET: secret ?? '' })).toBe(
      `Waiting for jobs on port ${port}`,
    )
    // Nobody but the marketplace can give it work.
    expect((await fetch(url, { method: 'POST', body: '{"job":{}}' })).status).toBe(401)
    expect(await seller.testAgentConnection(wallet)).toMatchObject({
      ok: true,
      status: 200,
      verdict: 'The agent delivered a result.',
    })

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
