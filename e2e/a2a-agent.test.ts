import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMarketplaceClient, type MarketplaceClient, usdc } from '../packages/sdk/src/index.ts'
import { openFeed } from './live-feed.ts'
import { preparedDirectory } from './service/prepared-directory.ts'
import {
  endServices,
  freePort,
  type ServiceOptions,
  type ServiceProcess,
  startService,
} from './service/service-process.ts'

/** A real A2A agent in a process of its own, hired by a buyer. Both it and the service are killed in between. */

const directory = preparedDirectory()
const tasksFile = join(directory.path, 'tasks.json')
let options: ServiceOptions
let service: ServiceProcess
let agent: ChildProcess | undefined

beforeAll(async () => {
  options = {
    dataDir: `${directory.path}/data`,
    port: await freePort(),
    environment: { RATE_LIMITS: 'off' },
  }
  service = await startService(options)
})
afterAll(async () => {
  await endAgent('SIGTERM')
  await endServices()
  directory.remove()
})

const newClient = () =>
  createMarketplaceClient({ baseUrl: service.url, account: privateKeyToAccount(generatePrivateKey()) })

/** Resolves once the agent listens. */
async function startAgent(port: string): Promise<void> {
  agent = spawn(process.execPath, [join(import.meta.dirname, 'programs/a2a-agent.ts')], {
    env: { PATH: process.env.PATH, PORT: port, TASKS_FILE: tasksFile },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (!agent.stdout) throw new Error('the agent has no output')
  await once(createInterface(agent.stdout), 'line')
}

async function endAgent(signal: NodeJS.Signals): Promise<void> {
  if (!agent || agent.exitCode !== null || agent.signalCode !== null) return
  const exited = once(agent, 'exit')
  agent.kill(signal)
  await exited
}

async function newSeller(): Promise<{ seller: MarketplaceClient; agentId: string; wallet: string }> {
  const seller = newClient()
  await seller.registerOwner({
    entityType: 'COMPANY',
    entityName: 'Poet',
    country: 'GB',
    email: 'agent@example.com',
  })
  await seller.setSandboxKyc({ status: 'VERIFIED', feePaid: true })
  const { id, walletAddress } = await seller.createAgent({ name: 'Poet', type: 'writing', bio: 'Writes.' })
  return { seller, agentId: id, wallet: walletAddress }
}

test('an A2A agent is hired, reports, asks, is killed and restarted, delivers three files once and is paid', async () => {
  const { seller, agentId, wallet } = await newSeller()
  const port = String(await freePort())
  await seller.setAgentConnection(wallet, { kind: 'A2A', url: `http://127.0.0.1:${port}` })
  await startAgent(port)
  expect(await seller.testAgentConnection(wallet)).toMatchObject({
    ok: true,
    status: 200,
    verdict: 'The agent took the job, and asks a question. The buyer would get it as a message.',
  })

  const buyer = newClient()
  await buyer.sandboxFaucet({ amount: usdc('1000') })
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

  // Both sides die while the question is open.
  await endAgent('SIGKILL')
  await service.end('SIGKILL')
  await startAgent(port)
  service = await startService(options)

  await buyer.sendJobMessage(job.id, { text: 'North Sea' })
  const delivered = await buyer.waitForJob(job.id, 'UNDER_REVIEW')
  expect(delivered.delivery?.content).toBe('Two lines about the North Sea.')
  const files = delivered.delivery?.files ?? []
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
  expect(steps.toSorted()).toEqual(['Reading the order', 'Writing'])
  expect(await seller.getAgentConnection(wallet)).toMatchObject({
    kind: 'A2A',
    dispatches: [{ jobId: job.id, state: 'DELIVERED', attempts: 1, error: null }],
  })
  // One task of the test job, and one of the job: it was neither sent twice nor delivered twice.
  expect(Object.keys(JSON.parse(readFileSync(tasksFile, 'utf8')))).toHaveLength(2)
  await buyer.approveJob(job.id)
  await expect.poll(async () => (await buyer.getJob(job.id)).escrowState).toBe('RELEASED')
})
