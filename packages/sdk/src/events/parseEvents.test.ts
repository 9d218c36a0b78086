import fc from 'fast-check'
import { expect, test } from 'vitest'
import { collect } from '../testing/collect.ts'
import { parseEvents } from './parseEvents.ts'
import { untilSilent } from './untilSilent.ts'

const streamOf = (...pieces: Uint8Array[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece)
      controller.close()
    },
  })
const bytesOf = (text: string) => new TextEncoder().encode(text)
const read = (...pieces: Uint8Array[]) => collect(parseEvents(streamOf(...pieces)))

test('comments, several lines and missing fields', async () => {
  const text =
    'retry: 2000\n\n: still here\n\nid: c1\nevent: notification\ndata: {"a":1}\n\ndata: one\ndata:two\ndata\n\nid: c9\ndata: cut'
  expect(await read(bytesOf(text))).toEqual([
    { id: 'c1', type: 'notification', data: '{"a":1}' },
    { id: undefined, type: 'message', data: 'one\ntwo\n' },
  ])
})

test('the pieces do not matter', async () => {
  const text = 'id: c1\r\nevent: notification\r\ndata: naïve ✓ café 😀\r\n\r\nid: c2\r\ndata: two\r\n\r\n'
  const whole = await read(bytesOf(text))
  expect(whole).toHaveLength(2)
  const bytes = bytesOf(text)
  const cuts = fc.uniqueArray(fc.integer({ min: 1, max: bytes.length - 1 }), { maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(cuts, async (places) => {
      const edges = [0, ...places.sort((one, other) => one - other), bytes.length]
      const pieces = edges.slice(1).map((end, index) => bytes.slice(edges[index], end))
      expect(await read(...pieces)).toEqual(whole)
    }),
    { seed: 20261115, numRuns: 200 },
  )
})

test('a stream that falls silent is ended', async () => {
  let isCancelled = false
  const silent = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(bytesOf('data: one\n\n')),
    cancel: () => {
      isCancelled = true
    },
  })
  const seen: string[] = []
  const readAll = async () => {
    for await (const { data } of parseEvents(untilSilent(silent, 20))) seen.push(data)
  }
  await expect(readAll()).rejects.toThrow('silent for 20 ms')
  expect([seen, isCancelled]).toEqual([['one'], true])
})
