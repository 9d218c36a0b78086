import { createHash, timingSafeEqual } from 'node:crypto'
import { AppError } from '@agent-marketplace/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Metrics } from '../../platform/http/measuring/metrics.ts'

export interface MetricsPageDeps {
  metrics: Metrics
  /** Without a token the page is open. */
  metricsToken: string | undefined
}

export function registerMetrics(app: FastifyInstance, { metrics, metricsToken }: MetricsPageDeps): void {
  app.get('/metrics', async (request, reply) => {
    if (metricsToken !== undefined && !carriesToken(request, metricsToken)) {
      reply.header('WWW-Authenticate', 'Bearer')
      throw new AppError('UNAUTHORIZED', { message: 'The metrics need their own Bearer token.' })
    }
    reply.type(metrics.registry.contentType).header('Cache-Control', 'no-store')
    return metrics.registry.metrics()
  })
}

/** Hashes have one length, so neither the content nor the length of the token shows in the time that this takes. */
function carriesToken(request: FastifyRequest, token: string): boolean {
  const given = request.headers.authorization ?? ''
  return timingSafeEqual(digestOf(given), digestOf(`Bearer ${token}`))
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
