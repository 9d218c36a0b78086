// Seals everything that is sealed again with the current keys: of DATA_DIR, which must be stopped, or in production of
// the configured database. It may be interrupted and run again; docs/operations.md says when to use it.

import { readConfig } from '../src/config/read-config.ts'
import type { Closer } from '../src/data.ts'
import { StartupError } from '../src/platform/db/startup-error.ts'
import { createLog } from '../src/platform/log/log.ts'
import { createScrub, type Scrub } from '../src/platform/log/scrub.ts'
import { rotateKeys } from '../src/sealing/rotate-keys.ts'

const closers: Closer[] = []
let scrub: Scrub = (text) => text
try {
  const config = readConfig(process.env)
  scrub = createScrub(config.secrets)
  const { log } = createLog({ level: 'error', scrub })
  const isFinished = await rotateKeys(config, { log, closers, say: console.log })
  if (!isFinished) process.exitCode = 1
} catch (error) {
  console.error(scrub(error instanceof StartupError ? error.userMessage : String(error)))
  process.exitCode = 1
} finally {
  for (const close of closers.reverse()) await close()
}
