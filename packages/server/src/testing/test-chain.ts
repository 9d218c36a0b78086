import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EmbeddedChain, startEmbeddedChain } from '../ports/chain/embedded.ts'

/** The embedded chain in a folder of its own that goes away with it. */
export async function startTestChain(): Promise<EmbeddedChain> {
  const dataDir = await mkdtemp(join(tmpdir(), 'test-chain-'))
  const chain = await startEmbeddedChain({ dataDir, seed: '11'.repeat(32) })
  return {
    ...chain,
    async close() {
      await chain.close()
      await rm(dataDir, { recursive: true })
    },
  }
}
