import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export interface Metrics {
  registry: Registry
  observeRequest(labels: { method: string; route: string; status: number }, seconds: number): void
  countRefusal(code: string): void
  gauge(name: string, help: string, read: () => number | Promise<number>): void
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  })
  const refusals = new Counter({
    name: 'http_errors_total',
    help: 'Answers that carried an error, by code.',
    labelNames: ['code'],
    registers: [registry],
  })
  return {
    registry,
    observeRequest: (labels, seconds) => durations.observe(labels, seconds),
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
  }
}
