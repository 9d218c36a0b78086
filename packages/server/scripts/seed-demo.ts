// Makes the demo data of a fresh data directory without starting the service, and shows the wallets to try it with.
import { listTestWallets } from '@agent-marketplace/chain/devnet'
import { openAdapters } from '../src/adapters.ts'
import type { Config } from '../src/config/config.ts'
import { readConfig } from '../src/config/read-config.ts'
import type { Closer } from '../src/data.ts'
import { seedDemo } from '../src/demo/seed-demo.ts'
import { chainStartOf } from '../src/demo/span.ts'
import { lockDataDirectory } from '../src/platform/db/data-directory.ts'
import { StartupError } from '../src/platform/db/startup-error.ts'
import { createLog } from '../src/platform/log/log.ts'
import { createScrub } from '../src/platform/log/scrub.ts'
import { loadSandboxSecrets } from '../src/sandbox-secrets.ts'

const endings = {
  made: undefined,
  present: 'The demo data is there already.',
  incomplete: undefined,
  late: 'This data directory was begun without demo data, and its chain cannot be given a past. Take a fresh DATA_DIR.',
}

async function seed(config: Config, closers: Closer[]): Promise<boolean> {
  const deps = await openAdapters(
    config,
    createLog({ level: 'error', scrub: createScrub(config.secrets) }),
    closers,
    chainStartOf(config),
  )
  const { chainSeed } = loadSandboxSecrets(config.dataDir)
  const outcome = await seedDemo(deps, { chainSeed, say: console.log })
  if (endings[outcome]) console.log(endings[outcome])
  return outcome === 'made' || outcome === 'present'
}

/** Keys are derived, so they can be shown beside a running service as well. */
function showWallets({ dataDir }: Config): void {
  console.log('Wallets to try it with, for this sandbox alone:')
  for (const { role, address, privateKey } of listTestWallets(`0x${loadSandboxSecrets(dataDir).chainSeed}`)) {
    console.log(`  ${role.padEnd(7)}  ${address}  key ${privateKey}`)
  }
}

/** Why the data directory cannot be had now, such as a service that runs on it. */
function refusalOf(dataDir: string): string | undefined {
  try {
    lockDataDirectory(dataDir).release()
    return undefined
  } catch (error) {
    if (error instanceof StartupError) return error.userMessage
    throw error
  }
}

const closers: Closer[] = []
try {
  const config = readConfig(process.env)
  if (config.mode !== 'sandbox') throw new StartupError('Demo data is for the sandbox alone.')
  const refusal = refusalOf(config.dataDir)
  if (refusal) console.log(refusal)
  else if (!(await seed(config, closers))) process.exitCode = 1
  if (!process.exitCode) showWallets(config)
} catch (error) {
  console.error(error instanceof StartupError ? error.userMessage : error)
  process.exitCode = 1
} finally {
  for (const close of closers.reverse()) await close()
}
