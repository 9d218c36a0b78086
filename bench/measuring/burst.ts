import { openClients, type Request } from './client.ts'

export interface Requests {
  connections: number
  /** Every request is another one: joined reads must not help by being the same, and kept pages only where a row says so. */
  next: () => Request
}

export interface Sent {
  count: number
  /** Those whose response was not 2xx. */
  failures: number
  seconds: number
}

/**
 * Requests one after the other over each connection. All of them are waited for and counted, and the time ends with the
 * last one, so that no work is left over for the next burst.
 */
export async function sendBurst(
  port: number,
  { connections, next }: Requests,
  limit: { seconds: number } | { amount: number },
): Promise<Sent> {
  const clients = await openClients(`http://127.0.0.1:${port}`, connections)
  const startedMs = performance.now()
  const goesOn =
    'seconds' in limit
      ? () => performance.now() - startedMs < limit.seconds * 1000
      : () => begun < limit.amount
  let begun = 0
  let failures = 0
  await Promise.all(
    clients.map(async (client) => {
      while (goesOn()) {
        begun += 1
        const status = await client.send(next())
        if (status < 200 || status > 299) failures += 1
      }
      client.close()
    }),
  )
  return { count: begun, failures, seconds: (performance.now() - startedMs) / 1000 }
}
