import { readFileSync } from 'node:fs'
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
import { signalDatabase } from '../service/signal-database.ts'
import { checkBooks, checkMoney, waitForReleases } from '../steady/aftermath.ts'
import { prepareCast } from '../steady/cast.ts'
import { createSteadyClient, type Figures, type SteadyClient } from '../steady/steady-client.ts'
import { type Told, tellStory } from '../steady/story.ts'
import { secretsIn, secretsOf } from './secrets-in-logs.ts'

/**
 * `npm run test:crash [-- kills]`: kills the real server again and again under traffic, every fifth time with its database,
 * then a fifth as often the database alone, while the server goes on, and then counts. Every acknowledged job must be there
 * once, every micro-USDC where it belongs, and no secret in a log.
 */
const KILLS = Number(process.argv[2] ?? 100)
const WORKERS = 6
const BUYER_FUNDS_MICRO = 10n ** 14n
const DATABASE_EVERY = 5

const directory = temporaryDirectory()
const options = {
  dataDir: join(directory.path, 'data'),
  port: await freePort(),
  environment: { RATE_LIMITS: 'off', LOG_LEVEL: 'info', DEMO: 'off' },
}
endOnSignals(async () => {
  await endServices()
  directory.remove()
})
const figures: Figures = { acknowledged: 0, repeated: 0 }
const readySeconds = { server: [] as number[], both: [] as number[], database: [] as number[] }
let up: Promise<void> = Promise.resolve()

/** What the services that have ended printed. */
let log = ''

async function startAgain(killed: 'server' | 'both'): Promise<ServiceProcess> {
  log += service.output()
  const startedAtMs = performance.now()
  const started = await startService(options)
  readySeconds[killed].push((performance.now() - startedAtMs) / 1000)
  return started
}

async function kill(withDatabase: boolean): Promise<void> {
  if (withDatabase) process.kill(databasePid(), 'SIGKILL')
  await service.end('SIGKILL')
}

/** Nobody helps: the server notices, starts its database again, and serves a write. */
async function killDatabase(): Promise<void> {
  await signalDatabase(join(options.dataDir, 'postgres'), 'SIGKILL')
  const killedAtMs = performance.now()
  while (!(await isWriting())) await delay(20)
  readySeconds.database.push((performance.now() - killedAtMs) / 1000)
}

async function isWriting(): Promise<boolean> {
  const response = await fetch(`${service.url}/api/auth/request-nonce`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ walletAddress: `0x${'7'.repeat(40)}` }),
  })
  await response.arrayBuffer()
  return response.ok
}

function databasePid(): number {
  return Number(readFileSync(join(options.dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
}

const newClient = () =>
  createSteadyClient({
    wallet: privateKeyToAccount(generatePrivateKey()),
    figures,
    send: (path, init) => fetch(service.url + path, init),
    beforeRepeat: () => up,
  })

let service = await startService(options)
const [buyer, seller] = await Promise.all([newClient(), newClient()])
const { cast, addresses } = await prepareCast({
  buyer,
  seller,
  agent: { name: 'Steady Stork', description: 'Delivers, whatever happens.' },
  fundsMicro: BUYER_FUNDS_MICRO,
})
const told: Told[] = []
let isOver = false

/** Prices on both rails, none of them round, so that a lost or doubled payment cannot hide. */
async function tellStories(worker: number): Promise<void> {
  for (let number = 0; !isOver; number += 1) {
    const seedMicro = BigInt(worker * 1_000_003 + number * 7_919)
    const priceMicro = number % 2 === 0 ? 100_000_000n + seedMicro : 1_000_000n + (seedMicro % 90_000_000n)
    told.push(await tellStory(cast, priceMicro))
  }
}
const workers = Promise.all(Array.from({ length: WORKERS }, (_, worker) => tellStories(worker)))

for (let count = 1; count <= KILLS; count += 1) {
  await Promise.race([delay(200 + Math.random() * 1_300), workers])
  let reportUp = () => {}
  up = new Promise((resolve) => {
    reportUp = resolve
  })
  const withDatabase = count % DATABASE_EVERY === 0
  await kill(withDatabase)
  service = await startAgain(withDatabase ? 'both' : 'server')
  reportUp()
  if (count % 10 === 0)
    console.log(`${count} kills, ${told.length} jobs completed, ${figures.repeated} calls repeated`)
}
for (let count = 1; count <= KILLS / DATABASE_EVERY; count += 1) {
  await Promise.race([delay(200 + Math.random() * 1_300), workers])
  await killDatabase()
}
isOver = true
await workers
await waitForReleases(cast.buyer, told)

const money = { url: service.url, usdc: cast.usdc.address, addresses, fundsMicro: BUYER_FUNDS_MICRO, told }
const problems = [...(await checkJobs(cast.buyer)), ...(await checkMoney(money))]
const secrets = await secretsOf(options.dataDir, service.url, [buyer.token, seller.token])
await service.end('SIGTERM')
log += service.output()
const leaked = secretsIn(log, secrets)
problems.push(...leaked.map((place) => `secret ${place} of ${secrets.length} is in a log`))
const books = checkBooks(options.dataDir)
problems.push(...books.problems)
await endServices()
directory.remove()

console.log(`
kills of the server           ${KILLS}
kills with its database       ${readySeconds.both.length} of them
kills of the database alone   ${readySeconds.database.length}
ready after the server        ${shown(readySeconds.server)}
ready after both              ${shown(readySeconds.both)}
served after the database     ${shown(readySeconds.database)}
acknowledged writes           ${figures.acknowledged}
calls that had to be repeated ${figures.repeated}
jobs from hire to payout      ${told.length}
invariants                    ${books.printed}
secrets in logs               ${leaked.length} of ${secrets.length} in ${log.split('\n').length} lines
lost or doubled               ${problems.length - leaked.length}`)
for (const problem of problems) console.error(problem)
console.log(`${told.length} passed, ${problems.length} failed`)
process.exit(problems.length === 0 ? 0 : 1)

function shown(seconds: readonly number[]): string {
  if (seconds.length === 0) return 'not once'
  const mean = seconds.reduce((sum, value) => sum + value, 0) / seconds.length
  return `${mean.toFixed(2)} s on average, ${Math.max(...seconds).toFixed(2)} s at worst`
}

async function checkJobs(buyer: SteadyClient): Promise<string[]> {
  const found = new Map<string, string>()
  let cursor = ''
  do {
    const { body } = await buyer.get(`/api/jobs?role=client&limit=100${cursor ? `&cursor=${cursor}` : ''}`)
    for (const job of body.data) found.set(job.id, job.status)
    cursor = body.nextCursor ?? ''
  } while (cursor)
  const lost = told
    .filter(({ jobId }) => found.get(jobId) !== 'COMPLETED')
    .map(({ jobId }) => `lost: job ${jobId}`)
  const known = new Set(told.map(({ jobId }) => jobId))
  const doubled = [...found.keys()]
    .filter((jobId) => !known.has(jobId))
    .map((jobId) => `doubled: job ${jobId}`)
  return [...lost, ...doubled]
}
