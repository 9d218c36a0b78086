import { clusterPrograms, installPackages } from '../../failover/packages.ts'
import { type Run, runToEnd } from '../../failover/run-directory.ts'
import { audit, judge } from '../../failover/verdict.ts'
import { waitFor, within } from '../../failover/wait.ts'
import { isAllPaid } from '../../steady/aftermath.ts'
import { archiveLog } from '../backup.ts'
import { takeBaseBackup } from './base-backup.ts'
import { compareMembers, countArchiveFailures, noteMoment, onPrimary, withClient } from './members.ts'
import { failOver, hire, tellStories } from './orders.ts'
import { type Setting, startSetting } from './setting.ts'
import { steps } from './steps.ts'

/**
 * `npm run test:restore-patroni`: the steps of docs/operations.md for a cluster under Patroni. Between the backup and the
 * moment a primary is lost with a segment that it had not archived. Afterwards every table must be as it was at the moment,
 * on all members; the books must hold, the service must work on, and the next failover must lose nothing.
 */
const JOBS = 4
const LATER = 6
const PAID_LIMIT_MS = 120_000
const GIVE_UP_MS = 480_000

installPackages('test:restore-patroni', clusterPrograms)
await runToEnd((run) => within(GIVE_UP_MS, 'the whole run', play(run)))

async function play(run: Run): Promise<boolean> {
  const setting = await startSetting(run)
  const { cluster, archive, outside, environment, pair, door } = setting
  const { postgres, machines } = cluster
  const { ledger, cast } = pair

  console.log('Taking the base backup under traffic, and losing the primary that it came from')
  const source = await postgres.primary()
  const backingUp = startTimer()
  const [base] = await Promise.all([
    takeBaseBackup(cluster, source, run.directory).finally(backingUp.stop),
    tellStories(pair, JOBS),
  ])
  await leaveUnarchived(setting)
  await failOver(cluster, pair)
  await tellStories(pair, JOBS)

  // Nothing is written at the moment itself, so that every table can be compared.
  const untilPaid = () => waitFor('the payouts', PAID_LIMIT_MS, () => onPrimary(cluster, isAllPaid))
  await untilPaid()
  await setting.stop()
  const { moment, content } = await noteMoment(cluster)
  const before = { hired: ledger.hired.length, told: ledger.told.length }
  await setting.start()
  await hire(pair, LATER)
  const later = ledger.hired.splice(before.hired)
  const last = await postgres.primary()
  await withClient(cluster, last, archiveLog)
  let archiveFailures = await countArchiveFailures(cluster)
  await setting.stop()

  const machine = machines.all.find((one) => one !== source && one !== last) ?? source
  console.log(`Restoring the backup of ${source.name} on ${machine.name} to ${moment}`)
  const restoring = startTimer()
  for (const [name, step] of Object.entries(steps)) {
    const stepping = startTimer()
    await step({ children: run.children, cluster, archive, base, moment, machine })
    console.log(`  ${name.padEnd(40)}${stepping.stop()} s`)
  }
  restoring.stop()
  const problems = await compareMembers(cluster, content)

  console.log('Starting the service, and losing the restored primary')
  await setting.start()
  for (const id of later)
    if ((await cast.buyer.get(`/api/jobs/${id}`)).status !== 404) problems.push(`kept: job ${id}`)
  const verdicts = [await judge([pair], outside.rpcUrl)]
  const audits = [audit(environment)]
  await tellStories(pair, JOBS)
  const hired = ledger.hired.length
  const failingOver = startTimer()
  await failOver(cluster, pair)
  failingOver.stop()
  const hiredMeanwhile = ledger.hired.length - hired
  await tellStories(pair, JOBS)
  await untilPaid()
  verdicts.push(await judge([pair], outside.rpcUrl))
  audits.push(audit(environment))
  archiveFailures += await countArchiveFailures(cluster)
  await setting.stop()

  problems.push(...(await compareMembers(cluster)), ...door.problems)
  for (const { lost, doubled, wrong } of verdicts)
    problems.push(...lost.map((one) => `lost: ${one}`), ...doubled.map((one) => `kept: ${one}`), ...wrong)
  for (const { isClean, text } of audits) if (!isClean) problems.push(`check:invariants: ${text}`)
  if (archiveFailures > 0) problems.push(`${archiveFailures} segments could not be archived at first`)
  console.log(`
jobs before the moment         ${before.hired}, ${before.told} of them from hire to payout
jobs after it                  ${later.length}
base backup under traffic      ${backingUp.stop()} s
restored                       ${restoring.stop()} s for all steps
tables compared                ${Object.keys(content).length}, on ${machines.all.length} members
failover after it              ${hiredMeanwhile} jobs hired meanwhile; whole again after ${failingOver.stop()} s
invariants                     ${audits.map(({ text }) => text.split('\n')[0]).join(' Later: ')}
lost, kept or wrong            ${problems.length}`)
  for (const problem of problems) console.error(problem)
  return problems.length === 0
}

/** A whole segment that the primary does not archive while it lives; its Patroni must, when it is back. */
async function leaveUnarchived({ cluster, pair }: Setting): Promise<void> {
  const primary = await cluster.postgres.primary()
  cluster.postgres.stall(primary, 'archiver')
  await hire(pair, 1)
  await withClient(cluster, primary, (client) => client.query('select pg_switch_wal()'))
}

/** Seconds until it is stopped for the first time. */
function startTimer(): { stop(): string } {
  const startedAtMs = performance.now()
  let seconds: string | undefined
  return { stop: () => (seconds ??= ((performance.now() - startedAtMs) / 1000).toFixed(1)) }
}
