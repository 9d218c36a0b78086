import { readCrash, readSecretsAndStart, readServerCrash } from './crash-readers.ts'
import type { Command, Goal } from './goal.ts'
import {
  counted,
  readChainFaults,
  readContracts,
  readFuzz,
  readPulls,
  readQuotaRace,
  readSimulation,
} from './readers.ts'

/** A test that repeats itself as often as its goal asks, under `LONG_RUN=proof`. */
const proofOf = (file: string, name = '', minutesAtMost = 10): Command => ({
  line: `node node_modules/vitest/vitest.mjs run --reporter=verbose ${file}${name && ` -t "${name}"`}`,
  minutesAtMost,
})

const crash: Command = { line: 'npm run test:crash -- 200', minutesAtMost: 60 }
const lies: Command = {
  line: 'npm run test:lies -- --seeds 300 --steps 200 --parallel 2',
  minutesAtMost: 120,
}

/** Nonces clash by themselves, some fifteen times in a hundred seeds. */
const deepForks: Command = {
  line: 'npm run test:lies -- --seeds 300 --steps 200 --parallel 2 --forks 20',
  minutesAtMost: 90,
}

const loadOf = (kind: string, minutesAtMost = 40): Command => ({
  line: `npm run bench:load -- ${kind}`,
  minutesAtMost,
})

/** What `scripts/prove/run.ts` runs. Goals with the same command share one run of it. */
export const goals: readonly Goal[] = [
  {
    id: 'G1',
    name: 'Fuzz',
    number: '10,000 requests to every operation: 0 × 5xx, every response as documented, p99 < 250 ms',
    commands: [{ line: 'npm run test:fuzz -- --requests 10000 --seed {seed}', minutesAtMost: 60 }],
    read: readFuzz,
  },
  {
    id: 'G2',
    name: 'Crash of the server',
    number:
      '200 kills, and ten crashes at each named point: 0 acknowledged writes lost, 0 doubled, ready within 1.5 s',
    commands: [crash, proofOf('packages/server/src/money/faults.chain.test.ts', 'a crash at')],
    read: readServerCrash({ kills: 200, readySeconds: 1.5, points: 10, crashesAtEach: 10 }),
  },
  {
    id: 'G3',
    name: 'Crash of the database',
    number: '40 kills under load: 0 acknowledged writes lost, back within 5 s',
    commands: [crash],
    read: readCrash({ kills: 40, readySeconds: 5, of: 'database' }),
  },
  {
    id: 'G4',
    name: 'Simulation',
    number: '300 seeds × 200 steps: 0 breaches; a seed replays step by step',
    commands: [lies, proofOf('packages/server/src/money/simulation.chain.test.ts', 'a seed replays')],
    read: readSimulation,
  },
  {
    id: 'G5',
    name: 'Quota race',
    number: '50 rounds × 20 parallel creates with a cap of 1, 3 and 10: exactly the cap, all others 403',
    commands: [
      proofOf(
        'packages/server/src/features/agents/lifecycle/create.test.ts',
        'parallel creates leave exactly',
      ),
    ],
    read: readQuotaRace,
  },
  {
    id: 'G6',
    name: 'Nonce race',
    number: '100 nonces × 20 parallel verifications: 100 × 200, 1,900 × 401',
    commands: [proofOf('packages/server/src/features/auth/routes.test.ts', 'tries with one nonce at once')],
    read: counted('G6', { nonces: 100, letIn: 100, refused: 1_900 }),
  },
  {
    id: 'G7',
    name: 'Double submit',
    number: '500 keys × 5 parallel hires: 500 jobs; another body under the same key is 409',
    commands: [
      proofOf(
        'packages/server/src/features/jobs/hiring/hire.chain.test.ts',
        'the same Idempotency-Key makes one job',
      ),
    ],
    read: counted('G7', { keys: 500, posts: 2_500, jobs: 500, conflicts: 500 }),
  },
  {
    id: 'G8',
    name: 'Chain faults',
    number:
      '100 reorganisations of up to 20 blocks, 50 transactions dropped, 50 stuck, 50 responses lost, 20 nonce clashes: the books hold within 60 s',
    commands: [deepForks],
    read: readChainFaults,
  },
  {
    id: 'G9',
    name: 'Pull exactness',
    number: '200 subscriptions × 24 periods, two workers, killed at random: 4,800 pulls, 0 missing, 0 extra',
    commands: [
      { line: 'npm run test:pulls -- --subscriptions 200 --periods 24 --seed {seed}', minutesAtMost: 60 },
    ],
    read: readPulls,
  },
  {
    id: 'G10',
    name: 'Contracts',
    number: '64 invariant runs × 500 calls: 0 breaches; branch coverage ≥ 95 %',
    commands: [
      { line: 'npm run test:contracts', minutesAtMost: 30 },
      { line: 'npm run test:branches', minutesAtMost: 30 },
    ],
    read: readContracts,
  },
  {
    id: 'G11',
    name: 'Load',
    number:
      '200 clients for 60 s on 100k agents and 1M jobs: ≥ 800 requests/s, p99 < 200 ms; ≥ 100 hires/s, p99 < 400 ms',
    commands: [loadOf('load')],
    read: counted(
      'G11',
      { errors: 0 },
      { agents: 100_000, jobs: 1_000_000, requestsPerSecond: 800, hiresPerSecond: 100 },
      { readsP99Ms: 200, hiresP99Ms: 400 },
    ),
  },
  {
    id: 'G12',
    name: 'Overload',
    number:
      '5 times that rate, at least 4,000 requests/s sent: only 429 and 503, p99 of the accepted < 1 s, memory < 512 MB, normal within 5 s',
    commands: [loadOf('overload')],
    read: counted(
      'G12',
      { otherThan429And503: 0 },
      { offeredPerSecond: 4_000 },
      { acceptedP99Ms: 1_000, memoryMb: 512, normalAfterMs: 5_000 },
    ),
  },
  {
    id: 'G13',
    name: 'Soak',
    number: '9 minutes at 200 requests/s: memory grows < 5 % from minute 2 to 9, open files ± 5',
    commands: [loadOf('soak')],
    read: counted(
      'G13',
      { errors: 0 },
      { seconds: 540, requestsPerSecond: 190 },
      { memoryGrowthPercent: 5, filesChanged: 6 },
    ),
  },
  {
    id: 'G14',
    name: 'Limits',
    number: 'exactly 10, 100 and 200 pass in each of 50 windows, 30 at a time and with made-up addresses',
    commands: [
      proofOf(
        'packages/server/src/platform/http/pipeline.test.ts',
        'exactly the limit passes in every window',
      ),
    ],
    read: counted('G14', { windows: 50, passed: 50 * 310, wrong: 0 }, { refused: 50 * 30 }),
  },
  {
    id: 'G15',
    name: 'Isolation',
    number:
      'every route that takes an id × 3 foreign roles, and the token of another job: 0 leaks; foreign and absent look the same',
    commands: [proofOf('packages/server/src/isolation.chain.test.ts', 'foreign')],
    read: counted('G15', { leaks: 0 }, { routes: 66, roles: 4, requests: 528 }),
  },
  {
    id: 'G16',
    name: 'Tokens',
    number: '500 forged tokens: 500 × 401',
    commands: [proofOf('packages/server/src/features/auth/routes.test.ts', 'forged tokens')],
    read: counted('G16', {}, { forged: 500, refused: 500 }),
  },
  {
    id: 'G17',
    name: 'Database down, slow, full',
    number:
      'killed, still for 60 s, slow, on a full volume of 200 MB: 0 hangs > 3 s, 0 crashes, 0 manual steps; reads go on while it is full',
    commands: [loadOf('database', 15)],
    read: counted(
      'G17',
      { hangs: 0, crashes: 0, other: 0, refusedReadsWhileFull: 0 },
      { faults: 4, seconds: 20, standstillSeconds: 60, responses: 100, refusedWritesWhileFull: 1 },
      { backAfterMs: 5_000 },
    ),
  },
  {
    id: 'G18',
    name: 'Clock',
    number: '12 cases of wrong clocks of Node and PostgreSQL: 0 early releases, 0 extra pulls',
    commands: [{ line: 'npm run test:wrong-clocks', minutesAtMost: 45 }],
    read: counted('G18', { earlyReleases: 0, extraPulls: 0, missing: 0, breaches: 0 }, { cases: 12 }),
  },
  {
    id: 'G19',
    name: 'Mutation score',
    number: '≥ 80 % on money, auth and quota, 100 % on fee, price and routing',
    commands: [{ line: 'npm run test:mutations', minutesAtMost: 60 }],
    read: counted('G19', { prices: 100, routing: 100 }, { money: 80, auth: 80, quota: 80, mutants: 500 }),
  },
  {
    id: 'G20',
    name: 'Secrets and supply chain',
    number: '0 keys in logs, 0 high advisories, lockfile exact, cold start ≤ 1.0 s',
    commands: [
      proofOf('scripts/checks/lockfile.test.ts'),
      crash,
      { line: 'npm run bench -- start', minutesAtMost: 15 },
    ],
    read: readSecretsAndStart,
    unmeasured: 'advisories, which are not stored here',
  },
  {
    id: 'G21',
    name: 'Audit trail',
    number: 'every journal entry: from its request to the intent, the transaction and the block, and back',
    commands: [proofOf('packages/server/src/demo/seed-demo.chain.test.ts', 'every entry of the journal')],
    read: counted('G21', { broken: 0 }, { entries: 50, walked: 50 }),
  },
]
