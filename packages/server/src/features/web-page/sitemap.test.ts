import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import { createTestClock } from '../../testing/test-clock.ts'
import { registerSitemap } from './sitemap.ts'

const walletOf = (index: number): string => `0x${index.toString(16).padStart(40, '0')}`

async function startWith(agents: number) {
  const app = fastify()
  const clock = createTestClock()
  const asked: [string, number][] = []
  registerSitemap(app, {
    publicUrl: new URL('https://market.example'),
    wallClock: clock,
    docsPaths: ['/docs', '/docs/errors'],
    async listedWallets(digits, limit) {
      asked.push([digits, limit])
      return Array.from({ length: Math.min(agents, limit) }, (_, index) => walletOf(index))
    },
  })
  return { app, asked, clock }
}

test('a market with more agents than one sitemap holds has an index', async () => {
  const { app, asked } = await startWith(60_000)
  const { body } = await app.inject('/sitemap.xml')
  expect((await app.inject('/sitemap.xml')).body).toBe(body)
  expect(asked).toHaveLength(1)
  const parts = [
    ...body.matchAll(/<sitemap><loc>https:\/\/market\.example(\/sitemaps\/[^<]+)<\/loc><\/sitemap>/g),
  ]
  expect(new Set(parts.map(([, path]) => path)).size).toBe(256)
  expect((await app.inject(parts[7]?.[1] ?? '')).body).toContain(`/agents/${walletOf(0)}`)
  expect(asked[1]).toEqual(['07', 50_000])
})

test('all that fits into one is in one', async () => {
  const { app } = await startWith(49_994)
  const { body } = await app.inject('/sitemap.xml')
  expect(body.match(/<url>/g)).toHaveLength(50_000)
})

test('it is made once a second, however many ask for it', async () => {
  const { app, asked, clock } = await startWith(1)
  const ask = async () => (await app.inject('/sitemap.xml')).statusCode
  expect(await Promise.all(Array.from({ length: 8 }, ask))).toEqual(Array(8).fill(200))
  expect(asked).toHaveLength(1)
  clock.advance(0.999)
  await ask()
  expect(asked).toHaveLength(1)
  clock.advance(0.001)
  await ask()
  expect(asked).toHaveLength(2)
  // A clock that was put back.
  clock.advance(-3_600)
  await ask()
  expect(asked).toHaveLength(3)
})
