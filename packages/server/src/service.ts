import { allEndpoints } from '@agent-marketplace/contract'
import { openAdapters } from './adapters.ts'
import { createApp } from './app.ts'
import type { Config } from './config/config.ts'
import type { Closer, OpenedData } from './data.ts'
import { openHouse } from './demo/agents/house.ts'
import { catchUp, type SeedDemoOptions, seedDemo } from './demo/seed-demo.ts'
import type { AppDeps } from './house/outside.ts'
import { listen } from './platform/http/listen.ts'
import { compileEndpoints } from './platform/http/mount.ts'
import type { Logs } from './platform/log/log.ts'
import type { EmbeddedChain } from './ports/chain/embedded.ts'
import { loadSandboxSecrets } from './sandbox-secrets.ts'

interface StartOptions extends Pick<SeedDemoOptions, 'say'> {
  data: OpenedData
  /** Being started already, where it is the sandbox's own. */
  embeddedChain: Promise<EmbeddedChain> | undefined
  closers: Closer[]
  reset?: () => void
  /** Once it is aborted nothing more is opened, and the start ends by throwing. */
  stopping: AbortSignal
}

/** Opens everything else, and listens. */
export async function startService(config: Config, logs: Logs, options: StartOptions): Promise<void> {
  const { closers, stopping } = options
  // The chain and the database open outside this thread, and take longer than it takes to compile.
  const [deps] = await Promise.all([openOutside(config, logs, options), compileAll()])
  const house = deps.sandbox?.chain && config.demo ? await openHouse(deps, closers) : undefined
  const app = await createApp(deps)
  closers.push(() => app.close())
  await app.start()
  const onListening = await house?.openFor(app.http)
  stopping.throwIfAborted()
  await listen(app.http, config)
  onListening?.()
}

async function compileAll(): Promise<void> {
  compileEndpoints(allEndpoints)
}

/** Opens everything that is outside the app. A sandbox is complete then, and kept for later ones where it was made now. */
export async function openOutside(
  config: Config,
  logs: Logs,
  { data, embeddedChain, closers, reset, say, stopping }: StartOptions,
): Promise<AppDeps> {
  const deps = await openAdapters(config, logs, closers, { data, embeddedChain, reset, stopping })
  stopping.throwIfAborted()
  if (deps.sandbox?.chain) {
    const isWhole = await prepareSandbox(deps, { say, stopping })
    if (isWhole) await data.keepCopy?.()
  }
  return deps
}

/**
 * The embedded chain comes up to the present before anybody is served, by way of demo data where that is wanted. Returns
 * whether nothing is missing.
 */
async function prepareSandbox(
  deps: AppDeps,
  options: Pick<SeedDemoOptions, 'say' | 'stopping'>,
): Promise<boolean> {
  const { chainSeed } = loadSandboxSecrets(deps.config.dataDir)
  if (deps.config.demo) return (await seedDemo(deps, { chainSeed, ...options })) === 'made'
  await catchUp(deps)
  return true
}
