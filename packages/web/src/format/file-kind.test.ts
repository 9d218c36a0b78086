import { expect, test } from 'vitest'
import { fileKind, fileSize } from './file-kind.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

test.each([
  [bytesOf('Grüße, 1,204 rows'), { kind: 'text', text: 'Grüße, 1,204 rows', extension: 'txt' }],
  [Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d), { kind: 'image', mime: 'image/png', extension: 'png' }],
  [bytesOf('%PDF-1.7'), { kind: 'binary', extension: 'pdf' }],
  [Uint8Array.of(0xff, 0xfe, 0x00), { kind: 'binary', extension: 'bin' }],
  [bytesOf('a\u0000b'), { kind: 'binary', extension: 'bin' }],
])('a file is known by its bytes: %#', (bytes, kind) => {
  expect(fileKind(bytes)).toEqual(kind)
})

test('sizes are short', () => {
  expect([640, 18_240, 74_000, 2_500_000, 25 * 1024 * 1024].map(fileSize)).toEqual([
    '640 B',
    '18.2 kB',
    '74 kB',
    '2.4 MB',
    '25 MB',
  ])
})
