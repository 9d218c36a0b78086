import { allEndpoints } from '@agent-marketplace/contract'
import type { FastifyInstance } from 'fastify'
import { plugIntoMoney } from '../house/plug-in.ts'
import { AUDIT_SECONDS, createReconciler } from '../money/audit/reconciler.ts'
import type { Route } from '../platform/http/call.ts'
import type { Metrics } from '../platform/http/measuring/metrics.ts'
import type { Composed } from './features.ts'

/** Connects the slots of all features, one after the other. Before anything starts. */
export function plugIn({ features, ground, payments }: Composed, metrics: Pick<Metrics, 'gauge'>): void {
  const { money, queue, happenings, db, chain, log, alert } = ground
  for (const feature of features) plugIntoMoney(money, feature)
  for (const { happenings: handlers = [] } of features)
    for (const handler of handlers) happenings.register(handler)
  for (const { paymentPurposes = [] } of features)
    for (const purpose of paymentPurposes) payments.register(purpose)
  for (const { tasks = [] } of features) for (const { name, options } of tasks) queue.define(name, options)
  for (const { ticks = [] } of features)
    for (const { name, seconds, handler, nextDueAt, followsUp = false } of ticks)
      queue.every(name, seconds, handler, { isUrgent: followsUp || nextDueAt !== undefined })
  for (const { gauges = [] } of features)
    for (const { name, help, read } of gauges) metrics.gauge(name, help, read)

  const invariants = features.flatMap((feature) => feature.invariants ?? [])
  const reconciler = createReconciler({ db, chain, log, alert, invariants })
  queue.every('audit', AUDIT_SECONDS, async (signal) => void (await reconciler.run(signal)))
  metrics.gauge(
    'money_invariant_breaches',
    'Rules of the books that do not hold, as far as the audit knows.',
    reconciler.breachCount,
  )
  metrics.gauge(
    'money_audit_pending',
    'Changes that wait for the next audit, counted up to 10,000 notes and 10,000 postings.',
    reconciler.pendingCount,
  )
  metrics.gauge(
    'money_audit_pass_age_seconds',
    'Seconds since the audit has checked everything once.',
    reconciler.passAge,
  )
  metrics.gauge('queue_dead_letters', 'Jobs of the queue that were given up.', queue.countDeadLetters)
}

/** Everything that can be called, in the order of the docs. */
export function routesOf({ features }: Composed): Route[] {
  const placeOf = new Map(allEndpoints.map((endpoint, index) => [endpoint, index]))
  const place = ({ endpoint }: Route): number => placeOf.get(endpoint) ?? allEndpoints.length
  return features.flatMap(({ routes = [] }) => routes).sort((one, other) => place(one) - place(other))
}

/** After the routes are mounted. */
export function plugIntoHttp(
  { features }: Composed,
  http: FastifyInstance,
  mounted: { endpoints: Route['endpoint'][]; metrics: Metrics },
): void {
  for (const { httpHooks = [] } of features) for (const hook of httpHooks) hook(http, mounted)
}
