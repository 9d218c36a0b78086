import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { endOnSignals } from '../../scripts/testing/end-on-signals.ts'
import { endServices, freePort, startService, temporaryDirectory } from '../service/service-process.ts'

/**
 * `npm run test:conformance`: installs the official MCP conformance runner, once, and has it judge a started service.
 * Most scenarios call tools, prompts and resources of a test server that no product has. Checks that failed for want of
 * them are counted apart; any other failure fails the command.
 */
const here = import.meta.dirname
const runner = join(here, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')

/** Reasons of checks that need fixtures, or prompts, completion, logging, subscriptions or tasks, which we do not offer. */
const notOffered = [
  /^Not testable/,
  /\bMethod not found/,
  /\btool '?\w+'? not found/i,
  /\bResource not found: test:/,
  /^(?:Prerequisite failed|routing-task fixture|Expected InputRequiredResult)/,
  /^capabilities\.extensions MUST be advertised/,
  /^tasks\/get MUST return|^expected -32602; got -32601|^tools\/call for failing_job/,
]

interface Check {
  id: string
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  errorMessage?: string
}

const say = (line: string): boolean => process.stdout.write(`${line}\n`)

const isNotOffered = ({ errorMessage = '' }: Check): boolean =>
  notOffered.some((reason) => reason.test(errorMessage))

/** Runs one set of scenarios and returns how many checks failed that should have passed. */
function judge(title: string, args: string[], results: string): number {
  spawnSync(process.execPath, [runner, ...args, '--output-dir', results], { cwd: here })
  const files = globSync('**/checks.json', { cwd: results })
  const checks = files.flatMap((file): Check[] => JSON.parse(readFileSync(join(results, file), 'utf8')))
  const passed = checks.filter(({ status }) => status === 'SUCCESS').length
  const failed = checks.filter(({ status }) => status === 'FAILURE')
  const broken = failed.filter((check) => !isNotOffered(check))
  say(
    `${title}: ${files.length} scenarios, ${passed} checks passed, ${broken.length} failed, ` +
      `${failed.length - broken.length} need what we do not offer`,
  )
  for (const { id, errorMessage } of broken) say(`  ${id}: ${errorMessage}`)
  // A run that judged nothing has not passed.
  return passed === 0 ? 1 : broken.length
}

if (!existsSync(runner)) {
  const install = ['ci', '--ignore-scripts', '--no-audit', '--no-fund']
  const { status } = spawnSync('npm', install, { cwd: here, stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}
const directory = temporaryDirectory()
const port = await freePort()
const end = async (): Promise<void> => {
  await endServices()
  directory.remove()
}
endOnSignals(end)
let broken = 0
try {
  await startService({
    dataDir: join(directory.path, 'data'),
    port,
    environment: { RATE_LIMITS: 'off' },
  })
  const url = `http://localhost:${port}`
  for (const revision of ['2025-11-25', '2026-07-28'])
    broken += judge(
      revision,
      ['server', '--url', `${url}/mcp`, '--requirements', revision],
      join(directory.path, revision),
    )
  broken += judge(
    'authorization server',
    ['authorization', '--url', url],
    join(directory.path, 'authorization'),
  )
} finally {
  await end()
}
process.exit(broken === 0 ? 0 : 1)
