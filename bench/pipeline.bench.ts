import { join } from 'node:path'
import { createTokens } from '../packages/server/src/features/sessions/tokens.ts'
import { wallClock } from '../packages/server/src/platform/clock/clock.ts'
import {
  type Contender,
  type Load,
  measureRound,
  median,
  type Round,
  startContender,
} from './measuring/measure.ts'
import type { Row } from './measuring/rows.ts'
import { benchSecret, benchSession } from './measuring/sample.ts'

const GOAL = 0.7
const ROUNDS = 25
const WARM_UP_ROUNDS = 4
const SECONDS_PER_ROUND = 1

/** P4: what limits, headers, log and credential check together add to the bare framework, per request. */
export async function benchPipeline(): Promise<Row[]> {
  const script = join(import.meta.dirname, 'pipeline-server.ts')
  const bare = await startContender(script, 'bare')
  const pipeline = await startContender(script, 'pipeline')
  const pairs = await measurePairs(bare, pipeline, {
    path: '/api/agents',
    headers: { authorization: `Bearer ${await signToken()}` },
    connections: 64,
    seconds: SECONDS_PER_ROUND,
  })
  await Promise.all([bare.stop(), pipeline.stop()])
  const added = pairs.map((pair) => pair.pipeline.cpuMicrosPerRequest / pair.bare.cpuMicrosPerRequest - 1)
  const typical = median(added)
  const both = (of: (round: Round) => number) =>
    `${median(pairs.map(({ bare }) => of(bare))).toFixed(0)} and ${median(pairs.map(({ pipeline }) => of(pipeline))).toFixed(0)}`
  return [
    {
      id: 'P4',
      what: 'limits + headers + log + credential, added to the bare framework (CPU per request)',
      ratio: typical,
      goal: `≤ ${GOAL}`,
      reached: typical <= GOAL,
      figures: [
        `bare and pipeline: ${both((round) => round.cpuMicrosPerRequest)} µs`,
        `${both((round) => round.requestsPerSecond)} requests/s`,
        `half of ${ROUNDS} rounds between ${quantile(added, 0.25).toFixed(2)} and ${quantile(added, 0.75).toFixed(2)}`,
      ].join('; '),
    },
  ]
}

interface Pair {
  bare: Round
  pipeline: Round
}

/**
 * The machine's speed drifts by a fifth within a minute, so each ratio is taken from two bursts side by side, and who goes
 * first changes with every round. The median of those ratios is steadier than the ratio of two medians.
 */
async function measurePairs(bare: Contender, pipeline: Contender, load: Load): Promise<Pair[]> {
  const pairs: Pair[] = []
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    const bareFirst = round % 2 === 0
    const first = await measureRound(bareFirst ? bare : pipeline, load)
    const second = await measureRound(bareFirst ? pipeline : bare, load)
    if (round < WARM_UP_ROUNDS) continue
    pairs.push(bareFirst ? { bare: first, pipeline: second } : { bare: second, pipeline: first })
  }
  return pairs
}

function signToken(): Promise<string> {
  return createTokens({ secret: benchSecret, clock: wallClock }).sign({
    sessionId: benchSession,
    ownerId: 'cbench0000000000000000000',
    issuedAt: new Date(),
    expiresAt: new Date(Date.now() + 3_600_000),
  })
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN
}
