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

/** The paths for health, metrics and documentation. They are not part of the contract and count toward no limit. */
export function registerPlatformInfo(app: FastifyInstance, deps: PlatformInfoDeps): void {
  registerHealth(app, deps.health)
  registerMetrics(app, deps.metrics)
  registerOpenApi(app, deps)
  registerErrorDocs(app)
  registerGuides(app, deps)
  registerDiscovery(app, deps)
  registerSecurityText(app, deps)
}
