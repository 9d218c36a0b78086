import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readCrash, readSecretsAndStart, readServerCrash } from './crash-readers.ts'
import { judge, type Row } from './goal.ts'
import { goals } from './goals.ts'
import {
  counted,
  readChainFaults,
  readContracts,
  readFuzz,
  readPulls,
  readQuotaRace,
  readSimulation,
} from './readers.ts'
import { runCommand } from './run-command.ts'
import { readPage, writePage } from './table.ts'

const root = join(import.meta.dirname, '../..')

const fuzz = `
10290 requests: 5101 × 200, 90 × 201, 2100 × 400, 2000 × 401, 999 × 404
event-loop delay in the service's process: p50 0.2 ms, p99 16.0 ms, max 573.6 ms
processor time of its event loop per request: p50 1.4 ms, p99 11.3 ms, max 255.0 ms
time of responses: p50 2.1 ms, p99 31.4 ms, max 603.0 ms
 ✓ |own process| packages/server/src/fuzz-long.test.ts > a long run with the seed 381815422 > 10000 requests: every response is as documented, and the event loop is free 412000ms`

const crash = `
kills of the server           200
kills with its database       40 of them
kills of the database alone   40
ready after the server        1.21 s on average, 1.43 s at worst
ready after both              2.90 s on average, 4.10 s at worst
served after the database     2.90 s on average, 6.10 s at worst
acknowledged writes           417
calls that had to be repeated 96
jobs from hire to payout      119
invariants                    43 rules hold.
secrets in logs               0 of 16 in 20000 lines
lost or doubled               0
119 passed, 0 failed`

const lies =
  '{"seeds":300,"first":1,"steps":200,"seconds":1638,"slowestHealSeconds":4.2,"breaches":0,"stuck":0,"totals":{"fork of 1 to 5":90,"fork of 6 to 10":40,"fork of 11 to 20":30,"transaction dropped":30,"transaction forgotten":30,"transaction response lost":70,"transaction slow":80,"transaction nonce clash":20}}'
const pulls =
  '{"subscriptions":200,"periods":24,"seed":7,"seconds":290.1,"crashes":210,"pullsOnChain":4800,"pullsInBooks":4800,"entriesInJournal":4800,"extra":0,"missing":0,"breaches":0}'
const contracts = `Fuzz seed 0x8453; repeat this run with --seed 0x8453
Solidity: 214 passed, 0 failed, 0 skipped in 21 suites, 95.1 s
{"branchCoverage":{"branches":170,"outcomes":340,"taken":330,"percent":97}}`
const start = `${crash}
P9  reached  0.90 (goal ≤ 10)  cold start to ready without demo data, where nothing is prepared, seconds
    0.9, 0.9, 1.0
 Test Files  1 passed (1)`
const races = [1, 3, 10].map(
  (cap) =>
    `proof G5 ${JSON.stringify({ cap, rounds: 50, creates: 1000, made: 50 * cap, refused: 50 * (20 - cap) })}`,
)

describe('figures are read from what the commands print', () => {
  test('fuzz', () => {
    expect(readFuzz(fuzz)).toEqual({
      figure: '10,290 requests, 0 × 5xx, all as documented, p99 31.4 ms',
      isReached: true,
      seed: '381815422',
    })
    expect(readFuzz(fuzz.replace('999 × 404', '998 × 404, 1 × 503'))?.isReached).toBe(false)
    expect(readFuzz(fuzz.replace('p99 31.4', 'p99 250.0'))?.isReached).toBe(false)
    expect(readFuzz(fuzz.replace('10290', '9999'))?.isReached).toBe(false)
  })

  test('crashes: of the server, and of the database alone', () => {
    const server = readCrash({ kills: 200, readySeconds: 1.5, of: 'server' })
    const database = readCrash({ kills: 40, readySeconds: 5, of: 'database' })
    expect(server(crash)).toMatchObject({
      isReached: true,
      figure: expect.stringContaining('1.43 s at worst'),
    })
    expect(database(crash)).toMatchObject({
      isReached: false,
      figure: expect.stringContaining('6.10 s at worst'),
    })
    expect(server(crash.replace(/doubled {15}0/, 'doubled               1'))?.isReached).toBe(false)
    expect(server(crash.replace('417', '0'))?.isReached).toBe(false)
  })

  test('crashes at each named point count beside the kills', () => {
    const read = readServerCrash({ kills: 200, readySeconds: 1.5, points: 2, crashesAtEach: 10 })
    const points = 'proof G2 {"crashes":10}\nproof G2 {"crashes":10}'
    expect(read(`${crash}\n${points}`)).toMatchObject({
      isReached: true,
      figure: expect.stringContaining('10 crashes of the engine at each of 2 named points'),
    })
    expect(read(crash)).toBeUndefined()
    expect(read(points)).toBeUndefined()
    expect(read(`${crash}\n${points.replace('10', '9')}`)?.isReached).toBe(false)
    expect(read(`${crash}\nproof G2 {"crashes":10}`)?.isReached).toBe(false)
    expect(read(`${crash.replace('1.43', '1.51')}\n${points}`)?.isReached).toBe(false)
  })

  test('the simulation, its replay, and the faults in it', () => {
    const replay = 'proof G4 {"replayedSteps":200}'
    expect(readSimulation(`${lies}\n${replay}`)).toMatchObject({ isReached: true, seed: '1 to 300' })
    expect(readSimulation(lies)).toBeUndefined()
    expect(readSimulation(`${lies.replace('"stuck":0', '"stuck":1')}\n${replay}`)?.isReached).toBe(false)
    expect(readChainFaults(lies)?.isReached).toBe(true)
    for (const [figure, tooFew] of [
      ['"transaction slow":80', '"transaction slow":49'],
      ['"fork of 11 to 20":30', '"fork of 11 to 20":9'],
      ['"transaction nonce clash":20', '"transaction nonce clash":19'],
      ['"slowestHealSeconds":4.2', '"slowestHealSeconds":60'],
      ['"breaches":0', '"breaches":1'],
    ] as const) {
      expect(lies).toContain(figure)
      expect(readChainFaults(lies.replace(figure, tooFew))?.isReached).toBe(false)
    }
  })

  test('pulls, contracts, start', () => {
    expect(readPulls(pulls)).toMatchObject({ isReached: true, seed: '7' })
    expect(readPulls(pulls.replace('"extra":0', '"extra":1'))?.isReached).toBe(false)
    expect(readPulls(pulls.replace('"crashes":210', '"crashes":0'))?.isReached).toBe(false)
    expect(readPulls(pulls.replace('"subscriptions":200', '"subscriptions":50'))?.isReached).toBe(false)
    expect(readContracts(contracts)).toMatchObject({ isReached: true, seed: '0x8453' })
    expect(readContracts(contracts.replace('0 skipped', '1 skipped'))?.isReached).toBe(false)
    expect(readContracts(contracts.replace('"percent":97', '"percent":94.9'))?.isReached).toBe(false)
    expect(readContracts(contracts.replace('"outcomes":340', '"outcomes":0'))?.isReached).toBe(false)
    expect(readContracts(contracts.replace(/^\{.*$/m, ''))).toBeUndefined()
  })

  test('secrets in logs, and the start', () => {
    expect(readSecretsAndStart(start)).toEqual({
      figure: '0 of 16 secrets in 20,000 lines of logs; lockfile exact; cold start 0.9 s',
      isReached: true,
    })
    for (const [figure, wrong] of [
      ['0 of 16', '1 of 16'],
      ['0 of 16', '0 of 9'],
      ['20000 lines', '999 lines'],
      ['reached  0.90', 'MISSED   1.10'],
    ] as const)
      expect(readSecretsAndStart(start.replace(figure, wrong))?.isReached).toBe(false)
    expect(readSecretsAndStart(start.replace('1 passed', '1 failed'))).toBeUndefined()
    expect(readSecretsAndStart(start.replace(crash, ''))).toBeUndefined()
  })

  test('tests that count', () => {
    expect(readQuotaRace(races.join('\n'))?.isReached).toBe(true)
    expect(readQuotaRace(races.slice(1).join('\n'))?.isReached).toBe(false)
    const read = counted('G6', { nonces: 100, letIn: 100 }, { refused: 1_900 })
    expect(read('proof G6 {"nonces":100,"letIn":100,"refused":1900}')).toEqual({
      figure: 'nonces: 100, let in: 100, refused: 1,900',
      isReached: true,
    })
    expect(read('proof G6 {"nonces":100,"letIn":101,"refused":1900}')?.isReached).toBe(false)
    expect(read('proof G6 {"nonces":100,"letIn":100,"refused":1899}')?.isReached).toBe(false)
    expect(read('proof G7 {"nonces":100}')).toBeUndefined()
    const figures = { acceptedP99Ms: 480, otherThan429And503: 0, memoryMb: 501, growthPercent: 3.2 }
    expect(counted('G12', {})(`proof G12 ${JSON.stringify(figures)}`)?.figure).toBe(
      'accepted p99: 480 ms, other than 429 and 503: 0, memory: 501 MB, growth: 3.2 %',
    )
  })
})

describe('a verdict', () => {
  const read = () => ({ figure: '5 of 5', isReached: true, seed: '7' })
  const passed = { exitCode: 0, output: '' }

  test.each([
    ['reached', { read }, [passed]],
    ['reached in part', { read, unmeasured: 'the rest' }, [passed]],
    ['MISSED', { read: () => ({ ...read(), isReached: false }) }, [passed]],
    ['MISSED', { read }, [passed, { exitCode: 1, output: '' }]],
    ['MISSED', { read }, [{ exitCode: null, output: '' }]],
    ['MISSED', { read: () => undefined }, [{ exitCode: 1, output: '' }]],
    ['MISSED', { read }, []],
    ['not measured', { read: () => undefined }, [passed]],
  ])('%s', (verdict, goal, ended) => {
    expect(judge(goal, ended).verdict).toBe(verdict)
  })

  test('names what is not measured, also where the rest is missed', () => {
    for (const isReached of [true, false])
      expect(judge({ read: () => ({ ...read(), isReached }), unmeasured: 'the rest' }, [passed]).figure).toBe(
        '5 of 5. Not measured: the rest',
      )
  })

  test.each(goals.map((goal) => [goal.id, goal] as const))('%s is not reached by silence', (_id, goal) => {
    expect(judge(goal, [passed]).verdict).toBe('not measured')
  })

  test('a command that fails, prints or takes too long', async () => {
    const long = { line: 'exec sleep 600', minutesAtMost: 0.001 }
    expect(await runCommand(long, root)).toEqual({ exitCode: null, output: '' })
    const failing = { line: 'echo $LONG_RUN && exit 3', minutesAtMost: 1 }
    expect(await runCommand(failing, root)).toEqual({ exitCode: 3, output: 'proof\n' })
  })
})

describe('the page', () => {
  const row: Row = {
    ...{ id: 'G5', name: 'Quota race', number: '50 × 20', verdict: 'reached', figure: 'a | b' },
    ...{ seed: '7', commit: 'abc1234', day: '2026-11-17', commands: ['npm test'] },
  }

  test('is read back as it was written, goal by goal in order', () => {
    const page = writePage([{ ...row, id: 'G10' }, row])
    const { verdict, seed, commit, day } = row
    expect([...readPage(page)]).toEqual([
      ['G5', { verdict, figure: 'a / b', seed, commit, day }],
      ['G10', { verdict, figure: 'a / b', seed, commit, day }],
    ])
    expect(page).toContain('2 reached, 0 reached in part, 0 MISSED, 0 not measured.')
  })

  test('has every goal once', () => {
    const ids = goals.map(({ id }) => id).toSorted((a, b) => Number(a.slice(1)) - Number(b.slice(1)))
    expect(ids).toEqual(Array.from({ length: 21 }, (_, index) => `G${index + 1}`))
    expect([...readPage(readFileSync(join(root, 'docs/proof.md'), 'utf8')).keys()]).toEqual(ids)
  })
})
