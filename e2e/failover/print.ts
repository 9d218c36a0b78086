import { type FaultName, failovers, faultNames, type Struck } from './faults.ts'
import type { SignOut } from './traffic/sign-outs.ts'
import type { Verdict } from './verdict.ts'

const GOAL_P95_SECONDS = 15
/** A process looks at its listening connection every 5 s, for 3 s: one that broke without a word is noticed by then. */
const ACCEPTED_LIMIT_SECONDS = 8
/** Of each kind of failure. */
const SHOWN = 10

export interface Figures extends Verdict {
  isSynchronous: boolean
  minutes: number
  struck: readonly Struck[]
  acknowledged: number
  repeated: number
  jobs: number
  withdrawals: number
  charges: number
  profileChanges: number
  probeWrites: number
  profileReads: number
  /** Of their own profile, older than the reader's own write. */
  staleReads: readonly string[]
  standbyReads: number
  signOuts: readonly SignOut[]
  listeners: number
  missedEvents: number
  receivedEvents: number
  unavailable: number
  exits: number
  audit: { isClean: boolean; text: string }
  /** Responses that no client should get, connections that broke without cause, and faults that could not be done. */
  problems: readonly string[]
}

/**
 * Prints the figures as the tables of docs/failover.md, and returns whether every one of them is as it must be. Without
 * synchronous replication acknowledged writes must be missing: otherwise the run could not have found that any are.
 */
export function print(figures: Figures): boolean {
  printTables(figures)
  return figures.isSynchronous ? judgeStrict(figures) : judgeAsynchronous(figures)
}

function printTables(figures: Figures): void {
  const { struck, signOuts } = figures
  const outages = struck.filter(isFailover)
  const slowestFailureMs = Math.max(0, ...struck.map((one) => one.slowestFailureMs))
  const rows = [
    ['replication', figures.isSynchronous ? 'synchronous, strict' : 'asynchronous'],
    ['faults', `${struck.length} in ${figures.minutes.toFixed(1)} minutes`],
    [
      'acknowledged writes',
      `${grouped(figures.acknowledged)}: ${grouped(figures.jobs)} jobs, ${grouped(figures.withdrawals)} withdrawals, ${grouped(figures.charges)} charges, ` +
        `${grouped(figures.profileChanges)} changes of profiles, and the steps between; ${grouped(figures.repeated)} calls repeated`,
    ],
    ['acknowledged writes of the probe', grouped(figures.probeWrites)],
    ['acknowledged writes lost', `${figures.lost.length}`],
    ['effects doubled', `${figures.doubled.length}`],
    ['other differences', `${figures.wrong.length}`],
    ['invariants', `${figures.audit.text.split('\n')[0]}`],
    [
      'events missed',
      `${figures.missedEvents} of ${grouped(figures.receivedEvents)}, ${figures.listeners} listeners`,
    ],
    [
      'reads older than own write',
      `${figures.staleReads.length} of ${grouped(figures.profileReads)}; ${grouped(figures.standbyReads)} lookups on the standbys`,
    ],
    [
      '503 with `Retry-After`',
      `${grouped(figures.unavailable)}, the slowest after ${seconds(slowestFailureMs)} s`,
    ],
    ['other failures', `${figures.problems.length}`],
    ['processes that ended by themselves', `${figures.exits}`],
    ['outage per failover', `${spread(outages.map(outageOf))} (${outages.length} failovers)`],
    [
      'sign-out until the other process returned 401, outages included',
      `${spread(signOuts.map(({ rejectedAfterMs }) => rejectedAfterMs))} (${grouped(signOuts.length)} sign-outs)`,
    ],
    [
      'token accepted after its sign-out',
      `for at most ${seconds(longestAccepted(figures))} s (limit ${ACCEPTED_LIMIT_SECONDS} s)`,
    ],
  ]
  console.log('\n| | |\n|---|---|')
  for (const row of rows) console.log(`| ${row.join(' | ')} |`)
  console.log('\n| Fault | Outage in seconds: p50, max |\n|---|---|')
  for (const name of faultNames) {
    const those = struck.filter((one) => one.name === name).map(outageOf)
    if (those.length > 0)
      console.log(
        `| ${name} (${those.length}) | ${seconds(percentile(those, 50))}, ${seconds(Math.max(...those))} |`,
      )
  }
  console.log('')
}

function judgeAsynchronous({ struck, lost }: Figures): boolean {
  for (const text of lost.slice(0, SHOWN)) console.log(`lost: ${text}`)
  const isGood = lost.length > 0
  console.log(
    `${struck.length} faults: ${isGood ? 'passed: writes were lost, as expected' : 'failed: nothing was lost'}`,
  )
  return isGood
}

function judgeStrict(figures: Figures): boolean {
  const { struck, audit } = figures
  const p95Ms = percentile(struck.filter(isFailover).map(outageOf), 95)
  const kinds = [
    figures.lost.map((text) => `lost: ${text}`),
    figures.doubled.map((text) => `doubled: ${text}`),
    figures.wrong,
    figures.staleReads,
    figures.standbyReads === 0 ? ['no standby was read'] : [],
    figures.jobs === 0 ? ['no job was done'] : [],
    figures.receivedEvents === 0 ? ['no event was received'] : [],
    figures.probeWrites === 0 ? ['the probe has written nothing'] : [],
    figures.signOuts.length === 0 ? ['no sign-out was measured'] : [],
    longestAccepted(figures) > ACCEPTED_LIMIT_SECONDS * 1000
      ? [`a token was accepted ${seconds(longestAccepted(figures))} s after its sign-out`]
      : [],
    figures.missedEvents > 0 ? [`${figures.missedEvents} events missed`] : [],
    figures.exits > 0 ? [`${figures.exits} processes ended by themselves`] : [],
    p95Ms > GOAL_P95_SECONDS * 1000 ? [`the goal is a p95 of ${GOAL_P95_SECONDS} s`] : [],
    figures.problems,
    audit.isClean ? [] : [`check:invariants: ${audit.text}`],
  ]
  for (const failures of kinds) {
    for (const failure of failures.slice(0, SHOWN)) console.error(failure)
    if (failures.length > SHOWN) console.error(`and ${failures.length - SHOWN} more`)
  }
  const isGood = kinds.every((failures) => failures.length === 0)
  console.log(`${struck.length} faults: ${isGood ? 'passed' : 'failed'}`)
  return isGood
}

export function line(name: FaultName, { outageMs, slowestFailureMs }: Struck): string {
  return `${name.padEnd(37)}${seconds(outageMs)} s without a write, slowest refusal ${seconds(slowestFailureMs)} s`
}

const grouped = (count: number): string => count.toLocaleString('en')

const isFailover = ({ name }: Struck): boolean => failovers.includes(name)
const outageOf = ({ outageMs }: Struck): number => outageMs
const longestAccepted = ({ signOuts }: Figures): number =>
  Math.max(0, ...signOuts.map(({ acceptedForMs }) => acceptedForMs))

function spread(values: readonly number[]): string {
  if (values.length === 0) return 'none'
  const [p50, p95, max] = [percentile(values, 50), percentile(values, 95), Math.max(...values)].map(seconds)
  return `p50 ${p50} s, p95 ${p95} s, max ${max} s`
}

/** One digit, and as many as a shorter time needs. */
function seconds(ms: number): string {
  return (ms / 1000).toFixed(ms >= 100 || ms === 0 ? 1 : 3)
}

function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)] ?? 0
}
