import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const assets = join(import.meta.dirname, '../../packages/web/dist/assets')

/** The policy of our pages allows neither: a part that has one does not load, and its page stays empty. */
const forbidden = [/\bWebAssembly\b/, /\bnew Function\(/, /(?<![\w$.])eval\(/]

/** Draws PDFs in a worker, with WebAssembly switched off. */
const isPdfWorker = (name: string): boolean => name.startsWith('pdf-worker-')

test('nothing that pages load compiles code while it runs', () => {
  const scripts = readdirSync(assets).filter((name) => name.endsWith('.js') && !isPdfWorker(name))
  expect(scripts.length).toBeGreaterThan(50)
  const found = scripts.flatMap((name) => {
    const text = readFileSync(join(assets, name), 'utf8')
    return forbidden.filter((pattern) => pattern.test(text)).map((pattern) => `${name}: ${pattern.source}`)
  })
  expect(found).toEqual([])
})
