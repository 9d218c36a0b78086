import { figuresOf, grouped, jsonWith, numberIn } from './figures.ts'
import type { Reading } from './goal.ts'

/** For a test that prints once: every named figure must be exactly, at least, or below what is expected. */
export const counted =
  (
    goal: string,
    expected: Record<string, number>,
    atLeast: Record<string, number> = {},
    below: Record<string, number> = {},
  ) =>
  (output: string): Reading | undefined => {
    const [figures] = figuresOf(output, goal)
    if (!figures) return undefined
    const isExact = Object.entries(expected).every(([name, value]) => figures[name] === value)
    const isEnough = Object.entries(atLeast).every(([name, value]) => (figures[name] ?? 0) >= value)
    const isBelow = Object.entries(below).every(([name, value]) => (figures[name] ?? value) < value)
    return { figure: inWords(figures), isReached: isExact && isEnough && isBelow }
  }

/** The last word of a name that says what it is measured in. */
const units: Readonly<Record<string, string>> = { ms: ' ms', mb: ' MB', percent: ' %' }

/** `acceptedP99Ms: 480` is "accepted p99: 480 ms". */
function inWords(figures: Record<string, number>): string {
  const shown = Object.entries(figures).map(([name, value]) => {
    const words = name.split(/(?=[A-Z])|(?<=[a-z]{2})(?=\d)/).map((word) => word.toLowerCase())
    const unit = units[words.at(-1) ?? ''] ?? ''
    return `${(unit ? words.slice(0, -1) : words).join(' ')}: ${grouped(value)}${unit}`
  })
  return shown.join(', ')
}

export function readQuotaRace(output: string): Reading | undefined {
  const races = figuresOf(output, 'G5')
  if (races.length === 0) return undefined
  const isReached = [1, 3, 10].every((cap) =>
    races.some(
      (race) => race.cap === cap && (race.rounds ?? 0) >= 50 && race.made === cap * (race.rounds ?? 0),
    ),
  )
  const shown = races
    .toSorted((a, b) => (a.cap ?? 0) - (b.cap ?? 0))
    .map(
      ({ cap, creates = 0, made = 0, refused = 0 }) =>
        `cap ${cap}: ${grouped(creates)} creates, ${grouped(made)} made, ${grouped(refused)} × 403`,
    )
  return { figure: shown.join('; '), isReached }
}

export function readFuzz(output: string): Reading | undefined {
  const [, requests, statuses = ''] = /^(\d+) requests: (.+)$/m.exec(output) ?? []
  const seed = /a long run with the seed (\d+)/.exec(output)?.[1]
  const p99 = numberIn(output, /^time of responses: .*p99 ([\d.]+) ms/m)
  if (requests === undefined || seed === undefined || p99 === undefined) return undefined
  const failures = [...statuses.matchAll(/(\d+) × 5\d\d/g)].reduce((sum, [, count]) => sum + Number(count), 0)
  return {
    figure: `${grouped(Number(requests))} requests, ${failures} × 5xx, all as documented, p99 ${p99} ms`,
    isReached: Number(requests) >= 10_000 && failures === 0 && p99 < 250,
    seed,
  }
}

export function readSimulation(output: string): Reading | undefined {
  const run = jsonWith(output, 'seeds') as Lies | undefined
  const [replay] = figuresOf(output, 'G4')
  if (!run || !replay) return undefined
  const { seeds, first, steps, breaches, stuck, totals } = run
  const gaps = totals['gap without effect'] ?? 0
  return {
    figure: `${seeds} runs × ${steps} steps, ${breaches} breaches, ${stuck} stuck; ${gaps} gaps that changed no balance, found by the audit and closed by comparing again; ${replay.replayedSteps} steps replayed alike`,
    isReached: seeds >= 300 && steps >= 200 && breaches === 0 && stuck === 0,
    seed: `${first} to ${first + seeds - 1}`,
  }
}

interface Lies {
  seeds: number
  first: number
  steps: number
  slowestHealSeconds: number
  breaches: number
  stuck: number
  totals: Record<string, number>
}

export function readChainFaults(output: string): Reading | undefined {
  const run = jsonWith(output, 'seeds') as Lies | undefined
  if (!run) return undefined
  const of = (...names: string[]): number => names.reduce((sum, name) => sum + (run.totals[name] ?? 0), 0)
  const deep = of('fork of 6 to 10', 'fork of 11 to 20')
  const faults = {
    forks: of('fork of 1 to 5') + deep,
    'deeper than 5': deep,
    dropped: of('transaction dropped', 'transaction forgotten'),
    stuck: of('transaction slow'),
    'response lost': of('transaction response lost'),
    'nonce clashes': of('transaction nonce clash'),
  }
  const needed = {
    forks: 100,
    'deeper than 5': 50,
    dropped: 50,
    stuck: 50,
    'response lost': 50,
    'nonce clashes': 20,
  }
  const isEnough = Object.entries(needed).every(
    ([name, count]) => faults[name as keyof typeof faults] >= count,
  )
  const shown = Object.entries(faults).map(([name, count]) => `${name} ${grouped(count)}`)
  return {
    figure: `${shown.join(', ')}; ${run.breaches} breaches, ${run.stuck} intents left open, all of it ${run.slowestHealSeconds} s after healing at worst`,
    isReached: isEnough && run.breaches === 0 && run.stuck === 0 && run.slowestHealSeconds < 60,
    seed: `${run.first} to ${run.first + run.seeds - 1}`,
  }
}

export function readPulls(output: string): Reading | undefined {
  const run = jsonWith(output, 'pullsOnChain') as Record<string, number> | undefined
  if (!run) return undefined
  const { subscriptions = 0, periods = 0, pullsOnChain, crashes, extra, missing, breaches, seed } = run
  return {
    figure: `${subscriptions} subscriptions × ${periods} periods, ${crashes} crashes: ${grouped(pullsOnChain ?? 0)} pulls, ${missing} missing, ${extra} extra, ${breaches} breaches`,
    isReached:
      subscriptions >= 200 &&
      periods >= 24 &&
      pullsOnChain === subscriptions * periods &&
      (crashes ?? 0) > 0 &&
      [extra, missing, breaches].every((count) => count === 0),
    seed: String(seed),
  }
}

export function readContracts(output: string): Reading | undefined {
  const found = /^Solidity: (\d+) passed, (\d+) failed, (\d+) skipped/m.exec(output)
  const seed = /^Fuzz seed (\S+);/m.exec(output)?.[1]
  const covered = jsonWith(output, 'branchCoverage') as { branchCoverage: Covered } | undefined
  if (!found || seed === undefined || !covered) return undefined
  const [, passed, failed, skipped] = found
  const { outcomes, taken, percent } = covered.branchCoverage
  return {
    figure: `${passed} tests passed, ${failed} failed, ${skipped} skipped; ${taken} of ${outcomes} outcomes of branches taken, ${percent} %`,
    isReached: Number(passed) > 0 && failed === '0' && skipped === '0' && outcomes > 0 && percent >= 95,
    seed,
  }
}

interface Covered {
  outcomes: number
  taken: number
  percent: number
}
