import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openAdapters } from '../../packages/server/src/adapters.ts'
import { createApp } from '../../packages/server/src/app.ts'
import { readConfig } from '../../packages/server/src/config/read-config.ts'
import type { Closer } from '../../packages/server/src/data.ts'
import { createLog } from '../../packages/server/src/platform/log/log.ts'
import { endOnSignals } from '../../scripts/testing/end-on-signals.ts'
import { reportTo } from '../measuring/measure.ts'

/** The whole product as `main.ts` composes it, as a process that serves requests and leaves the work to others. */
const dataDir = await mkdtemp(join(tmpdir(), 'bench-ours-'))
const config = readConfig({
  DATABASE_URL: process.env.BENCH_DATABASE_URL,
  DATABASE_REPLICA_URLS: process.env.BENCH_REPLICA_URLS,
  SESSION_SECRET: process.env.BENCH_SECRET,
  DATA_DIR: dataDir,
  RATE_LIMITS: 'off',
  DEMO: 'off',
})
const closers: Closer[] = []
// The lines are written; the standard output of a contender goes to /dev/null.
const app = await createApp(await openAdapters(config, createLog({ level: 'info' }), closers))
await app.start({ isWorking: false })
await app.http.listen({ host: '127.0.0.1', port: 0 })
const address = app.http.server.address()
reportTo(process, typeof address === 'object' && address ? address.port : 0)

endOnSignals(async () => {
  await app.close()
  for (const close of closers.reverse()) await close()
  await rm(dataDir, { recursive: true })
})
