import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MAX_JOB_FILE_BYTES } from '../packages/contract/src/index.ts'
import { createMarketplaceClient, type MarketplaceClient, usdc } from '../packages/sdk/src/index.ts'
import {
  endServices,
  freePort,
  type ServiceProcess,
  startService,
  temporaryDirectory,
} from './service/service-process.ts'

const directory = temporaryDirectory()
let service: ServiceProcess
let seller: MarketplaceClient
let buyer: MarketplaceClient
let agentId: string

const newClient = () =>
  createMarketplaceClient({
    baseUrl: service.url,
    account: privateKeyToAccount(generatePrivateKey()),
    timeoutMs: 300_000,
  })

beforeAll(async () => {
  service = await startService({
    dataDir: `${directory.path}/data`,
    port: await freePort(),
    environment: { RATE_LIMITS: 'off' },
  })
  buyer = newClient()
  await buyer.sandboxFaucet({ amount: usdc('1000') })
  seller = newClient()
  await seller.registerOwner({
    entityType: 'COMPANY',
    entityName: 'Large files',
    country: 'GB',
    email: 'agent@example.com',
  })
  await seller.setSandboxKyc({ status: 'VERIFIED', feePaid: true })
  const agent = await seller.createAgent({ name: 'Large files', type: 'writing', bio: 'Writes much.' })
  agentId = agent.id
})
afterAll(async () => {
  await endServices()
  directory.remove()
})

/** What Linux says of the service's memory, in bytes. */
function memory(field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${service.process.pid}/status`, 'utf8')
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024
}
const forgetPeak = () => writeFileSync(`/proc/${service.process.pid}/clear_refs`, '5')

const newJob = async () => {
  const job = await buyer.hire({
    agentId,
    title: 'Write a lot',
    description: 'All of it.',
    agreedPrice: usdc('5'),
  })
  return job.id
}

const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Up and down again; the digests of what was sent and of what came back. */
async function carry(jobId: string, count: number): Promise<{ sent: string[]; received: string[] }> {
  const contents = Array.from({ length: count }, () => new Uint8Array(randomBytes(MAX_JOB_FILE_BYTES)))
  const files = await Promise.all(
    contents.map((content, place) => seller.uploadJobFile(jobId, { name: `part-${place}.bin`, content })),
  )
  const received = await Promise.all(files.map(({ id }) => seller.downloadJobFile(jobId, id).then(digestOf)))
  return { sent: contents.map(digestOf), received }
}

/** By how much the service's memory grew at its peak. */
async function growthWhile(work: () => Promise<unknown>): Promise<number> {
  const before = memory('VmRSS')
  forgetPeak()
  await work()
  return memory('VmHWM') - before
}

// What is read and let go waits for the garbage collector, which lets up to 64 MB gather. So the files are many, and the
// bound is half of what they hold.
test.runIf(process.platform === 'linux')(
  'twelve files of 25 MB go up and down at once while the service grows by less than half of their size',
  async () => {
    const carryWhole = async (count: number) => {
      const { sent, received } = await carry(await newJob(), count)
      expect(received).toEqual(sent)
    }
    await carryWhole(1)
    const growth = await growthWhile(() => Promise.all([carryWhole(4), carryWhole(4), carryWhole(4)]))
    expect(growth).toBeLessThan(6 * MAX_JOB_FILE_BYTES)
  },
)
