import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { endOnSignals } from '../../scripts/testing/end-on-signals.ts'
import {
  endServices,
  freePort,
  type ServiceProcess,
  startService,
  temporaryDirectory,
} from '../service/service-process.ts'
import { checkBooks, checkMoney, waitForReleases } from '../steady/aftermath.ts'
import { prepareCast } from '../steady/cast.ts'
import { createSteadyClient, type Figures, type SteadyClient } from '../steady/steady-client.ts'
import { type Told, tellStory } from '../steady/story.ts'
import {
  archiveLog,
  connectTo,
  killDatabase,
  noteMoment,
  prepareArchiving,
  restore,
  takeBaseBackup,
} from './backup.ts'

/**
 * `npm run test:restore [-- jobs]`: backs the service up while it works, lets it go on, kills it, and restores it to two
 * moments in between. What was acknowledged before a moment must be there, with its money and files, and nothing of what
 * came after; the books must hold, and the service must work on.
 */
const JOBS = Number(process.argv[2] ?? 4)
const BUYER_FUNDS_MICRO = 10n ** 14n
const GIVE_UP_MS = 300_000

const directory = temporaryDirectory()
const at = (name: string) => join(directory.path, name)
const [archive, base] = [at('archive'), at('base')]
const environment = { RATE_LIMITS: 'off', LOG_LEVEL: 'error' }
const start = async (dataDir: string) => startService({ dataDir, port: await freePort(), environment })
endOnSignals(async () => {
  await endServices()
  directory.remove()
})
setTimeout(async () => {
  console.error(`not done after ${GIVE_UP_MS / 1000} s`)
  await endServices()
  process.exit(1)
}, GIVE_UP_MS).unref()

const figures: Figures = { acknowledged: 0, repeated: 0 }
let service: ServiceProcess
const wallets = [generatePrivateKey(), generatePrivateKey()].map((key) => privateKeyToAccount(key))
const signIn = (index: 0 | 1) =>
  createSteadyClient({
    wallet: wallets[index] ?? privateKeyToAccount(generatePrivateKey()),
    figures,
    send: (path, init) => fetch(service.url + path, init),
    beforeRepeat: () => delay(50),
  })

await prepareArchiving(at('data'), archive)
service = await start(at('data'))
const { cast, addresses } = await prepareCast({
  buyer: await signIn(0),
  seller: await signIn(1),
  agent: { name: 'Phoenix Finch', description: 'Comes back as it was.' },
  fundsMicro: BUYER_FUNDS_MICRO,
})
const told: Told[] = []

// The backup is taken while jobs are hired, paid and delivered.
const client = await connectTo(at('data'))
const backupSeconds = await secondsOf(() =>
  Promise.all([takeBaseBackup(client, at('data'), base), tellStories()]),
)
const moments: { moment: Date; jobs: number; beside: string }[] = []
for (const name of ['first', 'second']) {
  await tellStories()
  await waitForReleases(cast.buyer, told)
  moments.push({
    beside: at(name),
    moment: await noteMoment(client, at('data'), at(name)),
    jobs: told.length,
  })
}
await tellStories()
await archiveLog(client)
await client.end()
await service.end('SIGKILL')
await killDatabase(at('data'))

const problems: string[] = []
const restoredIn: string[] = []
for (const [index, { moment, jobs, beside }] of moments.entries()) {
  const dataDir = at(`restored-${index}`)
  const seconds = await secondsOf(() => restore({ base, archive, beside, moment, dataDir }))
  const startSeconds = await secondsOf(async () => {
    service = await start(dataDir)
  })
  restoredIn.push(`${seconds.toFixed(1)} s, started in ${startSeconds.toFixed(1)} s`)
  const before = told.slice(0, jobs)
  const buyer = await signIn(0)
  problems.push(...(await checkJobs(buyer, before)))
  const money = { url: service.url, usdc: cast.usdc.address, addresses, fundsMicro: BUYER_FUNDS_MICRO }
  problems.push(...(await checkMoney({ ...money, told: before })))
  // It works on: the same buyer and seller, and the next nonces of the operator.
  const seller = await signIn(1)
  const next = await tellStory({ ...cast, buyer, seller }, 123_456_789n)
  await waitForReleases(buyer, [next])
  await service.end('SIGTERM')
  const books = checkBooks(dataDir)
  console.log(`invariants                    ${books.printed}`)
  problems.push(...books.problems)
}
await endServices()
directory.remove()

console.log(`
jobs from hire to payout      ${told.length}, ${moments.map(({ jobs }) => jobs).join(' and ')} of them before the moments
base backup under traffic     ${backupSeconds.toFixed(1)} s
restored                      ${restoredIn.join('; ')}
lost, kept or wrong           ${problems.length}`)
for (const problem of problems) console.error(problem)
process.exit(problems.length === 0 ? 0 : 1)

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedAtMs = performance.now()
  await work()
  return (performance.now() - startedAtMs) / 1000
}

/** On both rails in turn, at prices that are not round. */
async function tellStories(): Promise<void> {
  for (let count = 0; count < JOBS; count += 1) {
    const seedMicro = BigInt(told.length * 7_919)
    told.push(await tellStory(cast, (count % 2 === 0 ? 100_000_000n : 1_000_000n) + seedMicro))
  }
}

async function checkJobs(buyer: SteadyClient, before: readonly Told[]): Promise<string[]> {
  const found: string[] = []
  for (const [index, { jobId }] of told.entries()) {
    const { status, body } = await buyer.get(`/api/jobs/${jobId}`)
    const isBefore = index < before.length
    if (isBefore && (status !== 200 || body.data.status !== 'COMPLETED')) found.push(`lost: job ${jobId}`)
    if (!isBefore && status !== 404) found.push(`kept: job ${jobId}, which came later`)
    if (isBefore && status === 200 && !(await hasWork(buyer, jobId, body.data.deliveryCid)))
      found.push(`lost: work of ${jobId}`)
  }
  return found
}

async function hasWork({ token }: SteadyClient, jobId: string, cid: string | null): Promise<boolean> {
  const headers = { authorization: `Bearer ${token}` }
  const file = await fetch(`${service.url}/api/files/${cid}`, { headers })
  return file.status === 200 && (await file.text()).includes(jobId)
}
