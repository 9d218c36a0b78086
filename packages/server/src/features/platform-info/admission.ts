import { AppError } from '@agent-marketplace/contract'
import type { FastifyRequest } from 'fastify'

const probes = new Set(['/health/live', '/health/ready', '/metrics'])

/** A worker serves health checks and metrics only, even if a load balancer sends it other requests by mistake. */
export function admitProbesOnly({ routeOptions }: FastifyRequest): void {
  if (routeOptions.url !== undefined && probes.has(routeOptions.url)) return
  throw new AppError('MISDIRECTED_REQUEST', {
    message: 'This process works in the background (ROLE=worker) and serves no requests.',
  })
}
