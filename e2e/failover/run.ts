import { setTimeout as delay } from 'node:timers/promises'
import { createFaults, type Struck } from './faults.ts'
import { failoverPrograms, installPackages } from './packages.ts'
import { readPlan } from './plan.ts'
import { line, print } from './print.ts'
import { countStandbyReads, findLostNonces, keepNonces } from './records.ts'
import { type Run, runToEnd } from './run-directory.ts'
import { startSetting } from './setting.ts'
import { deal, enlarge } from './traffic/deals.ts'
import { listen } from './traffic/listeners.ts'
import { createPair, type Pair } from './traffic/people.ts'
import { startProbe } from './traffic/probe.ts'
import { changeProfile } from './traffic/profiles.ts'
import { startSignOuts } from './traffic/sign-outs.ts'
import { audit, judge } from './verdict.ts'
import { within } from './wait.ts'

/**
 * `npm run test:failover [-- --kills 3 --partitions 1 …]`: the service as it runs on several machines, under traffic,
 * while its primary, its etcd, its network and its processes fail again and again. Everything that was acknowledged must
 * be there, once. `-- --async` shows what is lost without synchronous replication, and fails where nothing is.
 */
const BETWEEN_FAULTS_MS = 3_000
const TRAFFIC_END_LIMIT_MS = 300_000

const plan = readPlan(process.argv.slice(2))
installPackages('test:failover', failoverPrograms)
await runToEnd(play)

async function play(run: Run): Promise<boolean> {
  const { cluster, redis, apis, workers, outside, door, environment } = await startSetting(run, plan)
  const pairs: Pair[] = []
  for (let number = 0; number < plan.pairs; number += 1)
    pairs.push(await createPair({ door, outside, number }))
  for (const pair of pairs) await enlarge(pair)
  const listeners = await Promise.all(
    pairs.flatMap(({ cast, addressOf }) => [
      listen(door, cast.buyer, addressOf.buyer),
      listen(door, cast.seller, addressOf.seller),
    ]),
  )
  console.log(`${plan.pairs} buyers and sellers deal; ${plan.faults.length} faults follow`)

  await keepNonces(cluster.databaseUrl)
  const startMs = performance.now()
  let isOver = false
  const dealing = Promise.all(
    pairs.flatMap((pair, number) => [
      deal(pair, number, () => isOver),
      changeProfile(pair, apis, door, () => isOver),
    ]),
  )
  const probe = startProbe(apis, door)
  const signOuts = startSignOuts(apis, door)
  const strike = createFaults({ cluster, redis, apis, workers, door, probe })
  const struck: Struck[] = []
  for (const [count, name] of plan.faults.entries()) {
    await delay(BETWEEN_FAULTS_MS)
    try {
      const one = await strike(name, count)
      struck.push(one)
      console.log(`${String(count + 1).padStart(3)} ${line(name, one)}`)
    } catch (error) {
      // What was acknowledged until then is counted all the same.
      door.problems.push(`fault ${count + 1}, ${name}: ${error}`)
      break
    }
  }
  isOver = true
  await probe.stop()
  await within(TRAFFIC_END_LIMIT_MS, 'the traffic to end', Promise.all([dealing, signOuts.stop()]))
  const minutes = (performance.now() - startMs) / 60_000

  const { lost, doubled, wrong } = await judge(pairs, outside.rpcUrl)
  const lostNonces = await findLostNonces(cluster.databaseUrl, probe.nonces)
  const missed = (await Promise.all(listeners.map(({ findMissed }) => findMissed()))).flat()
  for (const { stop } of listeners) stop()
  const sum = (pick: (pair: Pair) => number) => pairs.reduce((total, pair) => total + pick(pair), 0)
  return print({
    isSynchronous: plan.isSynchronous,
    minutes,
    struck,
    acknowledged: sum(({ ledger }) => ledger.figures.acknowledged),
    repeated: sum(({ ledger }) => ledger.figures.repeated),
    jobs: sum(({ ledger }) => ledger.told.length),
    withdrawals: sum(({ ledger }) => ledger.withdrawals.length),
    charges: sum(({ ledger }) => ledger.charges),
    profileChanges: sum(({ ledger }) => ledger.profile.version),
    probeWrites: probe.nonces.size,
    lost: [...lost, ...lostNonces.map((nonce) => `write of the probe ${nonce}`)],
    doubled,
    wrong,
    profileReads: sum(({ ledger }) => ledger.profile.reads),
    staleReads: pairs.flatMap(({ ledger }) => ledger.profile.stale),
    standbyReads: await countStandbyReads(cluster.memberUrls),
    signOuts: signOuts.all,
    listeners: listeners.length,
    missedEvents: missed.length,
    receivedEvents: listeners.reduce((total, { received }) => total + received.size, 0),
    unavailable: door.counts.unavailable,
    exits: [...apis, ...workers].reduce((total, { exits }) => total + exits(), 0),
    audit: audit(environment),
    problems: door.problems,
  })
}
