import { lookup } from 'node:dns/promises'
import type { FastifyInstance } from 'fastify'

/**
 * How many connections may wait to be accepted, as far as the system allows. With Node's default of 511, connections of
 * probes were dropped too when a few thousand clients connected at once. A dropped one is retried after one second, then
 * after three.
 */
const BACKLOG = 4_096

/**
 * Listens on one address, even where a name stands for several, as `localhost` does: for each of the others Fastify would
 * open a further server, whose requests are never refused in overload, and which no stop waits for.
 */
export async function listen(
  http: FastifyInstance,
  { host, port }: { host: string; port: number },
): Promise<void> {
  const { address } = await lookup(host, { order: 'ipv4first' })
  await http.listen({ host: address, port, backlog: BACKLOG })
}
