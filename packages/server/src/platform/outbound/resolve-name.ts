import { Resolver } from 'node:dns/promises'

/** Together less than a message may take. */
const TIMEOUT_MS = 1_500
const TRIES = 2

/**
 * All addresses of a name, by asking name servers directly. The system's own way asks for two names at a time: ten names
 * whose name server is silent would keep everybody's messages waiting for most of a minute.
 */
export function createNameResolution({ servers }: { servers?: readonly string[] } = {}) {
  return async (hostname: string): Promise<string[]> => {
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES })
    if (servers) resolver.setServers(servers)
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason
    return [v4, v6].flatMap((found) => (found.status === 'fulfilled' ? found.value : []))
  }
}
