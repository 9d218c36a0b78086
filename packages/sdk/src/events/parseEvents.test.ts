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

test('lines may end in any of the three ways, also mixed', async () => {
  const text = 'id: c1\rdata: one\r\n\ndata: two\n\r\nevent:\ndata: three\r\r'
  expect(await read(bytesOf(text))).toEqual([
    { id: 'c1', type: 'message', data: 'one' },
    { id: undefined, type: 'message', data: 'two' },
    { id: undefined, type: 'message', data: 'three' },
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

test('an event without end is left before it fills the memory', async () => {
  let pieces = 0
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      pieces += 1
      // Enough is enough: without a limit the test would end here.
      if (pieces > 100) controller.close()
      else controller.enqueue(bytesOf(`${pieces === 1 ? 'data: ' : ''}${'x'.repeat(65_536)}`))
    },
  })
  await expect(collect(parseEvents(endless))).rejects.toThrow('has no end')
  expect(pieces).toBeLessThan(25)
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
