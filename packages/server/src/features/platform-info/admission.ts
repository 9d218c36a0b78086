import { AppError } from '@agent-marketplace/contract'
import type { FastifyRequest } from 'fastify'

const probes = new Set(['/health/live', '/health/ready', '/metrics'])

/** A worker is asked only how it is: a request that a balancer sends there by mistake must not be served by half. */
export function admitProbesOnly({ routeOptions }: FastifyRequest): void {
  if (routeOptions.url !== undefined && probes.has(routeOptions.url)) return
  throw new AppError('MISDIRECTED_REQUEST', {
    message: 'This process works in the background (ROLE=worker) and serves no requests.',
  })
}
