import { lookup } from 'node:dns/promises'
import type { FastifyInstance } from 'fastify'

/**
 * How many connections wait to be accepted, as far as the system allows. With Node's 511 those of probes were dropped too
 * when a few thousand clients came at once, and a dropped one is tried again after a second, then after three.
 */
const BACKLOG = 4_096

/**
 * Listens on one address, also where a name stands for several, as `localhost` does: Fastify opens a further server for
 * each of the others, whose requests no overload is judged by, and no stop waits for.
 */
export async function listen(
  http: FastifyInstance,
  { host, port }: { host: string; port: number },
): Promise<void> {
  const { address } = await lookup(host, { order: 'ipv4first' })
  await http.listen({ host: address, port, backlog: BACKLOG })
}
