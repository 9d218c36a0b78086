import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { createRequestDurations } from './request-durations.ts'

export interface Metrics {
  /** The page of all metrics. */
  registry: Pick<Registry, 'contentType' | 'metrics'>
  observeRequest(labels: { method: string; route: string; status: number }, seconds: number): void
  countRefusal(code: string): void
  gauge(name: string, help: string, read: () => number | Promise<number>): void
  /** What only ever grows while the process runs. Its name ends in `_total`. */
  counter(name: string, help: string, read: () => number): void
  /** One value for each of several things, such as servers, that `label` names. */
  gaugeEach(name: string, help: string, label: string, read: () => ReadonlyMap<string, number>): void
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const durations = createRequestDurations()
  const refusals = new Counter({
    name: 'http_errors_total',
    help: 'Responses with an error, by code.',
    labelNames: ['code'],
    registers: [registry],
  })
  return {
    registry: {
      contentType: registry.contentType,
      metrics: async () => `${await registry.metrics()}\n${durations.draw()}`,
    },
    observeRequest: ({ method, route, status }, seconds) => durations.observe(method, route, status, seconds),
    countRefusal: (code) => refusals.inc({ code }),
    gauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers: [registry],
        async collect() {
          this.set(await read())
        },
      })
    },
    counter(name, help, read) {
      new Counter({
        name,
        help,
        registers: [registry],
        collect() {
          this.reset()
          this.inc(read())
        },
      })
    },
    gaugeEach(name, help, label, read) {
      new Gauge({
        name,
        help,
        labelNames: [label],
        registers: [registry],
        collect() {
          for (const [key, value] of read()) this.set({ [label]: key }, value)
        },
      })
    },
  }
}
