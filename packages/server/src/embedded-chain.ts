import type { Config } from './config/config.ts'
import type { Closer, OpenedData } from './data.ts'
import { chainStartOf } from './demo/span.ts'
import { type EmbeddedChain, startEmbeddedChain } from './ports/chain/embedded.ts'
import { loadSandboxSecrets } from './sandbox-secrets.ts'

/**
 * Begins to start the sandbox's own chain, and returns when it replays its blocks, which it does on a thread of its own. The
 * service is loaded meanwhile. Undefined where the chain is another one.
 */
export async function beginEmbeddedChain(
  config: Config,
  { dataDir }: OpenedData,
  closers: Closer[],
): Promise<{ started: Promise<EmbeddedChain> } | undefined> {
  if (config.mode !== 'sandbox' || config.chain) return undefined
  const replaying = Promise.withResolvers<void>()
  const { chainSeed: seed } = loadSandboxSecrets(dataDir.path)
  const { chainStartSecondsAgo: startSecondsAgo } = chainStartOf(config)
  const started = startEmbeddedChain({
    dataDir: dataDir.path,
    seed,
    startSecondsAgo,
    onReplay: replaying.resolve,
  })
  closers.push(async () => (await started.catch(() => undefined))?.close())
  // A failure is thrown where the chain is awaited.
  await Promise.race([replaying.promise, started.catch(() => undefined)])
  return { started }
}
