import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readPdf } from './read-pdf.ts'

const LINE_END = 0x0d

/** Compressed, and ending with the byte that also ends lines: one in 256 does. */
function endingLikeALine(text: string): Buffer {
  for (let number = 0; ; number += 1) {
    const bytes = deflateSync(`${text}\n%${'a'.repeat(number)}`)
    if (bytes.at(-1) === LINE_END) return bytes
  }
}

test('a stream whose compressed bytes end like a line is read whole', () => {
  const streams = [
    endingLikeALine('/F1 12 Tf [<00010002>] TJ'),
    endingLikeALine('1 beginbfrange\n<0001> <0002> [<0048> <0069>]\nendbfrange'),
  ]
  const objects = streams.map((bytes) => [
    Buffer.from(`<<\n/Length ${bytes.length}\n/Filter /FlateDecode\n>>\nstream\n`, 'latin1'),
    bytes,
    Buffer.from('\nendstream\n', 'latin1'),
  ])
  expect(readPdf(Buffer.concat(objects.flat()))).toBe('Hi')
})
