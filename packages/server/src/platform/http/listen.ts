import { lookup } from 'node:dns/promises'
import type { FastifyInstance } from 'fastify'

/**
 * Listens on one address, also where a name stands for several, as `localhost` does: Fastify opens a further server for
 * each of the others, whose requests no overload is judged by, and no stop waits for.
 */
export async function listen(
  http: FastifyInstance,
  { host, port }: { host: string; port: number },
): Promise<void> {
  const { address } = await lookup(host, { order: 'ipv4first' })
  await http.listen({ host: address, port })
}
