import type { FastifyInstance } from 'fastify'
import { registerDiscovery } from './discovery.ts'
import type { DocsDeps } from './docs-deps.ts'
import { registerErrorDocs } from './error-docs.ts'
import { registerGuides } from './guides/register-guides.ts'
import { type HealthDeps, registerHealth } from './health.ts'
import { type MetricsPageDeps, registerMetrics } from './metrics-page.ts'
import { registerOpenApi } from './openapi.ts'
import { registerSecurityText, type SecurityTextDeps } from './security-text.ts'

export interface PlatformInfoDeps extends DocsDeps, SecurityTextDeps {
  health: HealthDeps
  metrics: MetricsPageDeps
}

/** The paths that say how the service is and how to use it. They are no calls of the contract and count toward no limit. */
export function registerPlatformInfo(app: FastifyInstance, deps: PlatformInfoDeps): void {
  registerHealth(app, deps.health)
  registerMetrics(app, deps.metrics)
  registerOpenApi(app, deps)
  registerErrorDocs(app)
  registerGuides(app, deps)
  registerDiscovery(app, deps)
  registerSecurityText(app, deps)
}
