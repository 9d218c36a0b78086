import { join } from 'node:path'
import { createTokens } from '../packages/server/src/features/auth/tokens.ts'
import { wallClock } from '../packages/server/src/platform/clock/clock.ts'
import { measureInterleaved, startContender } from './measure.ts'
import type { Row } from './rows.ts'
import { benchSecret, benchSession } from './sample.ts'

const GOAL = 0.7
const ROUNDS = 5

/** P4: what limits, headers, log and credential check together add to the bare framework, per request. */
export async function benchPipeline(): Promise<Row[]> {
  const script = join(import.meta.dirname, 'pipeline-server.ts')
  const contenders = await Promise.all(['bare', 'pipeline'].map((name) => startContender(script, name)))
  const expiresAt = new Date(Date.now() + 3_600_000)
  const token = await createTokens({ secret: benchSecret, clock: wallClock }).sign({
    sessionId: benchSession,
    ownerId: 'cbench0000000000000000000',
    issuedAt: new Date(),
    expiresAt,
  })
  const load = {
    path: '/api/agents',
    headers: { authorization: `Bearer ${token}` },
    connections: 64,
    seconds: 3,
  }
  const measured = await measureInterleaved(contenders, () => load, ROUNDS)
  await Promise.all(contenders.map((contender) => contender.stop()))
  const bare = measured.get('bare')
  const pipeline = measured.get('pipeline')
  if (!bare || !pipeline) throw new Error('a contender was not measured')
  const added = pipeline.cpuMicrosPerRequest / bare.cpuMicrosPerRequest - 1
  return [
    {
      id: 'P4',
      what: 'limits + headers + log + credential, added to the bare framework (CPU per request)',
      ratio: added,
      goal: `≤ ${GOAL}`,
      reached: added <= GOAL,
      figures: `bare ${bare.cpuMicrosPerRequest.toFixed(0)} µs, pipeline ${pipeline.cpuMicrosPerRequest.toFixed(0)} µs; ${bare.requestsPerSecond.toFixed(0)} and ${pipeline.requestsPerSecond.toFixed(0)} requests/s`,
    },
  ]
}
