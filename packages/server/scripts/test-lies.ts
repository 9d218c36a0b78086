// Runs the money engine against a node that lies and a stranger who sends first, seed after seed.
// `test-lies.ts [--seeds 300] [--steps 120] [--first 1] [--parallel 1] [--seed N] [--forks 5] [--without proofs|confirmations]`: one
// seed repeats a run, save the order in which questions of one moment reach the node; engines without one of their
// protections must fail. Ends with an error when a rule broke or an intent stayed open.
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { createMoneyWorldOn } from '../src/money/testing/money-world-on.ts'
import { protections } from '../src/money/testing/simulation/protections.ts'
import { simulate } from '../src/money/testing/simulation/simulation.ts'
import { createDatabase } from '../src/platform/db/database.ts'
import { buildTemplate, copyDatabase, dropDatabase, withDatabase } from '../src/testing/template-database.ts'
import { startThrowAwayPostgres } from './throw-away-postgres.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '300' },
    steps: { type: 'string', default: '120' },
    first: { type: 'string', default: '1' },
    parallel: { type: 'string', default: '1' },
    seed: { type: 'string' },
    forks: { type: 'string', default: '5' },
    without: { type: 'string' },
  },
})
const steps = Number(values.steps)
const first = Number(values.seed ?? values.first)
const last = values.seed === undefined ? first + Number(values.seeds) - 1 : first
const parallel = Number(values.parallel)
const forkDepth = Number(values.forks)
if (![steps, first, last, parallel, forkDepth].every(Number.isSafeInteger))
  throw new Error('the options are whole numbers')

const without = protections.find((name) => name === values.without)
if (values.without !== undefined && without === undefined)
  throw new Error(`--without ${protections.join(' or ')}`)

const log = pino({ level: 'silent' })
const { connection: server, close } = await startThrowAwayPostgres('test-lies')
const template = await buildTemplate(server, log)

async function run(seed: number) {
  const name = await copyDatabase(server, template.name)
  const connection = withDatabase(server, name)
  const db = createDatabase({ connection, poolSize: 5, log })
  const world = await createMoneyWorldOn({
    db,
    connection,
    async close() {
      await db.close()
      await dropDatabase(server, name)
    },
  })
  try {
    return await simulate(world, { seed, steps, lies: true, forkDepth, without })
  } finally {
    await world.close()
  }
}

const startedMs = performance.now()
const totals: Record<string, number> = {}
let breachCount = 0
let failedSeeds = 0
let slowestHealMs = 0
let next = first

/** One seed after another; what they add up to does not depend on how many go side by side. */
async function runOn(): Promise<void> {
  while (next <= last) {
    const seed = next
    next += 1
    const { breaches, counts, healedInMs } = await run(seed)
    slowestHealMs = Math.max(slowestHealMs, healedInMs)
    for (const [what, count] of Object.entries(counts)) totals[what] = (totals[what] ?? 0) + count
    breachCount += breaches.length
    if (breaches.length === 0 && counts.stuck === 0) continue
    failedSeeds += 1
    const shown = JSON.stringify(breaches, (_key, value) =>
      typeof value === 'bigint' ? String(value) : value,
    )
    console.error(`seed ${seed}: ${counts.stuck} stuck, ${shown}`)
  }
}

try {
  await Promise.all(Array.from({ length: parallel }, runOn))
} finally {
  await close()
}
const seconds = Math.round((performance.now() - startedMs) / 1000)
const { stuck = 0 } = totals
console.log(
  JSON.stringify({
    seeds: last - first + 1,
    first,
    steps,
    seconds,
    slowestHealSeconds: Math.round(slowestHealMs / 100) / 10,
    breaches: breachCount,
    stuck,
    totals,
  }),
)
if (failedSeeds > 0) process.exitCode = 1
