import { expect, test } from 'vitest'
import { previewOf } from './preview-of.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

test.each([
  ['page.html', '<script>alert(1)</script>', 'text'],
  ['picture.svg', '<svg onload="alert(1)"/>', 'text'],
  ['notes.MD', '# Notes', 'markdown'],
  ['table.csv', 'a,b', 'table'],
  ['main.ts', 'let a', 'text'],
  ['work.pdf', '%PDF-1.7', 'pdf'],
  ['work.zip', 'PK\u0003\u0004', 'none'],
  ['nothing', '\u0000', 'none'],
])('%s is shown as %s', (name, text, kind) => {
  expect(previewOf(name, bytes(text)).kind).toBe(kind)
})

test('a picture is one by its bytes, whatever its name', () => {
  const preview = previewOf('a.html', new Uint8Array([0x89, 0x50, 0x4e, 0x47]))
  expect(preview).toEqual({ kind: 'image', mime: 'image/png' })
})
