import { serveStdio as serve } from '@modelcontextprotocol/server/stdio'
import { createMarketplaceServer } from '../server.ts'
import { sleep } from '../sleep.ts'
import type { Market } from '../tool.ts'

/**
 * Serves the tools over standard input and output, until the input ends or the signal is aborted. What is paid for goes on then:
 * only waiting ends.
 */
export async function serveStdio(market: Omit<Market, 'sleep'>, signal: AbortSignal): Promise<void> {
  const { stdin } = process
  const ended = new Promise<void>((resolve) => {
    const end = () => resolve()
    stdin.once('end', end)
    stdin.once('close', end)
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
  const handle = serve(() => createMarketplaceServer({ ...market, sleep }))
  await ended
  await handle.close()
}
