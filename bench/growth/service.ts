import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openAdapters } from '../../packages/server/src/adapters.ts'
import { createApp } from '../../packages/server/src/app.ts'
import { readConfig } from '../../packages/server/src/config/read-config.ts'
import type { Closer } from '../../packages/server/src/data.ts'
import { createTokens } from '../../packages/server/src/features/sessions/tokens.ts'
import { wallClock } from '../../packages/server/src/platform/clock/clock.ts'
import type { Connection } from '../../packages/server/src/platform/db/connection.ts'
import { createLog } from '../../packages/server/src/platform/log/log.ts'
import { endOnSignals } from '../../scripts/testing/end-on-signals.ts'
import { urlOf } from '../contenders/contenders.ts'
import { benchSecret } from '../measuring/sample.ts'

export type BenchService = Awaited<ReturnType<typeof openService>>

/** The whole service in this process, on its own devnet. Nothing runs by itself: ticks and tasks run when they are measured. */
export async function openService(connection: Connection) {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-growth-'))
  const remove = () => rm(dataDir, { recursive: true, force: true })
  endOnSignals(remove)
  const config = readConfig({
    DATABASE_URL: urlOf(connection),
    SESSION_SECRET: benchSecret,
    DATA_DIR: dataDir,
    RATE_LIMITS: 'off',
    DEMO: 'off',
    FILE_RETENTION_DAYS: '90',
  })
  const closers: Closer[] = []
  const deps = await openAdapters(config, createLog({ level: 'error' }), closers)
  const app = await createApp(deps)
  await app.start({ isWorking: false })
  const origin = await app.http.listen({ host: '127.0.0.1', port: 0 })
  const tokens = createTokens({ secret: benchSecret, clock: wallClock })
  return {
    ...app,
    deps,
    origin,
    async tokenOf(ownerId: string): Promise<string> {
      const issuedAt = new Date()
      const expiresAt = new Date(issuedAt.getTime() + 3_600_000)
      return `Bearer ${await tokens.sign({ sessionId: `session of ${ownerId}`, ownerId, issuedAt, expiresAt })}`
    },
    async close() {
      await app.close()
      for (const close of closers.reverse()) await close()
      await remove()
    },
  }
}
