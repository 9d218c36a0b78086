import { type Run, runToEnd } from '../../failover/run-directory.ts'
import { audit } from '../../failover/verdict.ts'
import { cases } from './cases.ts'
import { createLedger } from './judge.ts'
import { play } from './play.ts'
import { startSetting } from './setting.ts'

/** Walks the cases whose names have these words, or all, and prints what came of each. */
const [words = ''] = process.argv.slice(2)
await runToEnd(walk)

async function walk(run: Run): Promise<boolean> {
  const setting = await startSetting(run)
  const ledger = createLedger(setting.outside.rpcUrl)
  const total = { cases: 0, releases: 0, renewals: 0, earlyReleases: 0, extraPulls: 0, missing: 0 }
  const problems: string[] = []
  for (const [number, one] of cases.entries()) {
    if (!one.name.includes(words)) continue
    const played = await play(one, number, setting, ledger)
    total.cases += 1
    const found: string[] = []
    for (const { releases, renewals, earlyReleases, extraPulls, missing } of played.verdicts) {
      total.releases += releases
      total.renewals += renewals
      total.earlyReleases += earlyReleases.length
      total.extraPulls += extraPulls.length
      total.missing += missing.length
      found.push(...earlyReleases, ...extraPulls, ...missing)
    }
    console.log(`${one.name}: ${found.length === 0 ? 'on time, once' : found.join('; ')}`)
    problems.push(...found, ...played.problems)
  }
  const { stop } = await setting.start('UTC')
  const books = audit(setting.environment)
  await stop()
  for (const line of [books.text, ...problems]) console.log(line)
  console.log(`proof G18 ${JSON.stringify({ ...total, breaches: books.isClean ? 0 : 1 })}`)
  return books.isClean && problems.length === 0
}
