import { Histogram, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { createRequestDurations, DURATIONS_NAME } from './request-durations.ts'

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

test('the page says what prom-client’s own histogram says', async () => {
  const registry = new Registry()
  const usual = new Histogram({
    name: DURATIONS_NAME,
    help: 'Time from the first byte of a request to the end of its response.',
    labelNames: ['method', 'route', 'status'],
    buckets,
    registers: [registry],
  })
  const own = createRequestDurations()
  const observed = [
    ['GET', '/api/agents', 200, 0.0005],
    ['GET', '/api/agents', 200, 0.001],
    ['GET', '/api/agents', 200, 0.0011],
    ['GET', '/api/agents', 404, 31],
    ['POST', '/api/agents', 201, 30],
    ['GET', 'a "route" \\ with\nevery trap', 200, 0],
    ['GET', '/api/agents', 200, 2],
  ] as const
  for (const [method, route, status, seconds] of observed) {
    usual.observe({ method, route, status }, seconds)
    own.observe(method, route, status, seconds)
  }
  const linesOf = (page: string) => page.split('\n').filter(Boolean).sort()
  expect(linesOf(own.draw())).toEqual(linesOf(await registry.metrics()))
})
