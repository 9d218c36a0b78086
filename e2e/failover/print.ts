import { type FaultName, failovers, faultNames, type Struck } from './faults.ts'
import type { Verdict } from './verdict.ts'

const GOAL_P95_SECONDS = 15
const SHOWN = 20

export interface Figures {
  isSynchronous: boolean
  minutes: number
  struck: readonly Struck[]
  acknowledged: number
  repeated: number
  jobs: number
  withdrawals: number
  charges: number
  listeners: number
  missedEvents: number
  receivedEvents: number
  unavailable: number
  exits: number
  verdict: Verdict
  audit: { isClean: boolean; text: string }
  /** Responses that no client should get, and processes that did not stay up. */
  problems: readonly string[]
}

/**
 * Prints the figures, and returns whether every one of them is as it must be. Without synchronous replication
 * acknowledged writes must be missing: otherwise the run could not have found that any are.
 */
export function print(figures: Figures): boolean {
  const { struck, verdict, audit } = figures
  const outages = struck.filter(({ name }) => failovers.includes(name))
  const { lost, doubled, wrong } = verdict
  console.log(`
replication                    ${figures.isSynchronous ? 'synchronous, strict' : 'asynchronous'}
time                           ${figures.minutes.toFixed(1)} minutes, ${(figures.acknowledged / figures.minutes / 60).toFixed(1)} acknowledged writes a second
acknowledged writes            ${figures.acknowledged}, ${figures.repeated} calls repeated
jobs, withdrawals, charges     ${figures.jobs}, ${figures.withdrawals}, ${figures.charges}
acknowledged writes lost       ${lost.length}
effects doubled                ${doubled.length}
other differences              ${wrong.length}
invariants                     ${audit.text.split('\n')[0]}
SSE events missed              ${figures.missedEvents} of ${figures.receivedEvents}, ${figures.listeners} clients
503 with Retry-After           ${figures.unavailable}
other failures                 ${figures.problems.length}
processes that ended           ${figures.exits}
outage per failover            ${shown(outages)}`)
  for (const name of faultNames) {
    const those = struck.filter((one) => one.name === name)
    if (those.length > 0) console.log(`  ${name.padEnd(37)}${shown(those)}`)
  }
  const isQuick = outages.length === 0 || percentile(secondsOf(outages), 95) <= GOAL_P95_SECONDS
  if (!isQuick) console.error(`the goal is a p95 of ${GOAL_P95_SECONDS} s`)
  if (!figures.isSynchronous) {
    for (const text of lost.slice(0, SHOWN)) console.log(`lost: ${text}`)
    console.log(
      `${struck.length} faults: ${lost.length > 0 ? 'lost writes, as expected' : 'failed: nothing was lost'}`,
    )
    return lost.length > 0
  }
  const failures = [
    ...lost.map((text) => `lost: ${text}`),
    ...doubled.map((text) => `doubled: ${text}`),
    ...wrong,
    ...figures.problems,
    ...(audit.isClean ? [] : [`check:invariants: ${audit.text}`]),
  ]
  for (const failure of failures.slice(0, SHOWN)) console.error(failure)
  if (failures.length > SHOWN) console.error(`and ${failures.length - SHOWN} more`)
  const isGood = failures.length === 0 && figures.missedEvents === 0 && figures.exits === 0 && isQuick
  console.log(`${struck.length} faults: ${isGood ? 'passed' : 'failed'}`)
  return isGood
}

export function line(name: FaultName, { outageMs, slowestFailureMs }: Struck): string {
  return `${name.padEnd(37)}${(outageMs / 1000).toFixed(1)} s without a write, slowest refusal ${(slowestFailureMs / 1000).toFixed(1)} s`
}

function shown(struck: readonly Struck[]): string {
  if (struck.length === 0) return 'none'
  const seconds = secondsOf(struck)
  const [p50, p95, max] = [percentile(seconds, 50), percentile(seconds, 95), Math.max(...seconds)]
  return `p50 ${p50.toFixed(1)} s, p95 ${p95.toFixed(1)} s, max ${max.toFixed(1)} s (${struck.length} times)`
}

const secondsOf = (struck: readonly Struck[]): number[] => struck.map(({ outageMs }) => outageMs / 1000)

function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)] ?? 0
}
