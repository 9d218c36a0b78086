import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Config } from './config/config.ts'
import { StartupError } from './platform/db/startup-error.ts'

/** Asked before anything is opened, so that a taken port costs no wait. */
export async function checkPort({ host, port }: Pick<Config, 'host' | 'port'>): Promise<void> {
  const probe = createServer()
  try {
    probe.listen(port, host)
    await once(probe, 'listening')
  } catch (error) {
    const { code } = error as { code?: string }
    const problem =
      code === 'EADDRINUSE'
        ? `port ${port} is taken. Stop what uses it or set PORT.`
        : `may not listen on ${host}:${port} (${code}).`
    throw new StartupError(`Cannot start: ${problem}`, { cause: error })
  }
  probe.close()
  await once(probe, 'close')
}
