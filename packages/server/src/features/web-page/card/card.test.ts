import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../platform/db/sql.ts'
import type { RateLimiter } from '../../../platform/http/limits/rate-limit.ts'
import { startWorld, type World } from '../../../testing/start-world.ts'
import { type Picture, readPng } from '../testing/read-png.ts'

let world: World
let limiter: RateLimiter
beforeAll(async () => {
  const ports = (own: { limiter: RateLimiter }) => {
    limiter = own.limiter
    return {}
  }
  world = await startWorld({ environment: { RATE_LIMITS: 'on' }, ports })
})
afterAll(() => world.close())

const newAgent = async (name: string) => world.newAgent(await world.newOwner(), { name })
const get = (wallet: string, headers: Record<string, string> = {}) =>
  world.http.inject({ url: `/agents/${wallet}/card.png`, headers })
async function pictureOf(wallet: string): Promise<Picture> {
  // Each picture is one of another minute.
  world.wallClock.advance(61)
  const response = await get(wallet)
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'image/png'])
  return readPng(response.rawPayload)
}

/** The pixels of a part of the picture, as text that can be compared. */
function partOf({ row }: Picture, { x, y }: Record<'x' | 'y', [from: number, to: number]>): string[] {
  const rows = Array.from({ length: y[1] - y[0] }, (_, at) => row(y[0] + at))
  return rows.map((pixels) => pixels.subarray(x[0] * 4, x[1] * 4).toString('hex'))
}
const coloursOf = (rows: string[]) => new Set(rows.flatMap((pixels) => pixels.match(/.{8}/g)))

const NAME = { x: [300, 1140], y: [150, 320] } satisfies Parameters<typeof partOf>[1]
const FACTS = { x: [0, 1200], y: [440, 630] } satisfies Parameters<typeof partOf>[1]
const RIGHT_MARGIN = { x: [1140, 1200], y: [12, 630] } satisfies Parameters<typeof partOf>[1]

test('a card is a picture for feeds and chats, which need not be loaded twice', async () => {
  const { id, wallet } = await newAgent('Ledger Lark')
  const first = await get(wallet.toLowerCase())
  expect([first.statusCode, first.headers['content-type'], first.headers['cache-control']]).toEqual([
    200,
    'image/png',
    'public, max-age=600',
  ])
  const picture = readPng(first.rawPayload)
  expect([picture.width, picture.height]).toEqual([1200, 630])
  expect(coloursOf(partOf(picture, NAME)).size).toBeGreaterThan(2)
  const { etag } = first.headers
  const known = await get(wallet, { 'if-none-match': String(etag) })
  expect([known.statusCode, known.body, known.headers.etag]).toEqual([304, '', etag])
  expect((await get(wallet)).rawPayload.equals(first.rawPayload)).toBe(true)

  await world.db.run(sql`update agents set name = 'Ledger Owl' where id = ${id}`)
  const changed = await get(wallet, { 'if-none-match': String(etag) })
  expect([changed.statusCode, changed.rawPayload.equals(first.rawPayload)]).toEqual([200, false])
})

test('whatever an agent is called, its name stays in its place', async () => {
  const plain = await pictureOf((await newAgent('Ledger Lark')).wallet)
  for (const name of [
    '</text></svg><image href="file:///etc/passwd"/>&amp;&#0; <!-- ]]>'.repeat(3),
    'W'.repeat(200),
    `${'\u0300\u0316'.repeat(90)}Zalgo`,
    'שלום עולם مرحبا بالعالم \u202Egnp.exe',
    '😀🧾 Lark 🇩🇪👩‍💻 \u0007\uFFFF',
  ]) {
    const picture = await pictureOf((await newAgent(name)).wallet)
    expect([picture.width, picture.height]).toEqual([1200, 630])
    expect(coloursOf(partOf(picture, NAME)).size, name).toBeGreaterThan(2)
    expect([...coloursOf(partOf(picture, RIGHT_MARGIN))], name).toEqual(['fbfaf7ff'])
    expect(partOf(picture, FACTS), name).toEqual(partOf(plain, FACTS))
  }
})

test('an agent whose name has letters that the font lacks is named by its wallet, without boxes', async () => {
  const { id, wallet } = await newAgent('会計の漢字')
  const drawn = partOf(await pictureOf(wallet), NAME)
  const short = `Agent ${wallet.slice(0, 6)}…${wallet.slice(-4)}`
  await world.db.run(sql`update agents set name = ${short} where id = ${id}`)
  expect(partOf(await pictureOf(wallet), NAME)).toEqual(drawn)
  await world.db.run(sql`update agents set name = 'Ledger Lark' where id = ${id}`)
  expect(partOf(await pictureOf(wallet), NAME)).not.toEqual(drawn)
})

test('404 where no agent is listed', async () => {
  const pending = await world.newAgent(await world.newOwner(), { approval: 'PENDING' })
  for (const wallet of ['0x71C7656EC7ab88b098defB751B7401B5f6d8976F', 'x', pending.wallet]) {
    const response = await get(wallet)
    expect([wallet, response.statusCode, response.json().error.code]).toEqual([wallet, 404, 'NOT_FOUND'])
  }
})

test('one address gets so many new pictures in a minute; those that are kept do not count', async () => {
  const [kept, fresh] = [await newAgent('Kept'), await newAgent('Fresh')]
  await pictureOf(kept.wallet)
  world.wallClock.advance(61)
  for (let drawn = 0; drawn < 30; drawn += 1) await limiter.hit('cards:127.0.0.1', 30)
  const refused = await get(fresh.wallet)
  expect([refused.statusCode, refused.json().error.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED'])
  expect((await get(kept.wallet)).statusCode).toBe(200)
  world.wallClock.advance(61)
  expect((await get(fresh.wallet)).statusCode).toBe(200)
})
