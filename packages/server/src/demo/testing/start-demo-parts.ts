import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { wallClock } from '../../platform/clock/clock.ts'
import { startEmbeddedChain } from '../../ports/chain/embedded.ts'
import { createTestDatabase } from '../../testing/test-database.ts'
import { openWorldParts } from '../../testing/world/world-parts.ts'

export const CHAIN_SEED = '22'.repeat(32)

/** The parts of a world that nobody has started yet, on real time: the demo starts the service itself. */
export async function startDemoParts({ startSecondsAgo }: { startSecondsAgo: number }) {
  const database = await createTestDatabase({ poolSize: 16 })
  const dataDir = await mkdtemp(join(tmpdir(), 'test-demo-'))
  const chain = await startEmbeddedChain({ dataDir, seed: CHAIN_SEED, startSecondsAgo })
  const parts = await openWorldParts({ database, chain, wallClock })
  return {
    deps: parts.depsOf({ environment: { RATE_LIMITS: 'on', DATA_DIR: dataDir } }),
    async close() {
      await chain.close()
      await parts.close()
      await database.close()
      await rm(dataDir, { recursive: true })
    },
  }
}
