import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { PAGE_BYTES } from '../fast/line-pages.ts'
import { createLogFile } from './log-file.ts'

const ENDED_MS = 20_000

/** A process that writes to the log on its standard output; `step` happens between the first line and the last. */
function startWriter(step: string, stdout: 'pipe' | number = 'pipe') {
  const program = `
    import { createLog } from ${JSON.stringify(new URL('./log.ts', import.meta.url).href)}
    const { log, flush } = createLog({ level: 'info' })
    log.info('first')
    flush()
    ${step}
    log.info('last')
    flush()
    process.exit(7)`
  return spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['pipe', stdout, 'pipe'],
    timeout: ENDED_MS,
    killSignal: 'SIGKILL',
  })
}

const untilInput = `const { once } = await import('node:events'); await once(process.stdin, 'data')`

test('a process whose reader is gone ends', async () => {
  const writer = startWriter(untilInput)
  await once(writer.stdout ?? writer, 'data')
  writer.stdout?.destroy()
  writer.stdin?.end('go on')
  expect(await once(writer, 'exit')).toEqual([7, null])
})

test('a process whose reader is gone goes on', async () => {
  const writer = startWriter(`${untilInput}
    for (let line = 0; line < 5_000; line += 1) log.info({ line }, 'x'.repeat(100))
    await new Promise((resolve) => setTimeout(resolve, 700))`)
  await once(writer.stdout ?? writer, 'data')
  writer.stdout?.destroy()
  writer.stdin?.end('go on')
  expect(await once(writer, 'exit')).toEqual([7, null])
})

test.skipIf(!existsSync('/dev/full'))('a process whose disk is full goes on, and ends', async () => {
  const writer = startWriter(
    `await new Promise((resolve) => setTimeout(resolve, 700))`,
    openSync('/dev/full', 'w'),
  )
  const [errors, [code]] = await Promise.all([text(writer.stderr ?? process.stdin), once(writer, 'exit')])
  expect({ errors, code }).toEqual({ errors: '', code: 7 })
})

test('what is written in one turn and flushed to the end is read in order, and whole', async () => {
  // Once it was written to by other means, the pipe says when it is full.
  const writer = startWriter(`console.log('')
    for (let line = 0; line < 30_000; line += 1) log.info({ line }, 'x'.repeat(100))`)
  const [output, [code]] = await Promise.all([text(writer.stdout ?? process.stdin), once(writer, 'exit')])
  const lines = output.split('\n').filter((line) => line !== '')
  const numbers = lines.map((line) => JSON.parse(line)).map(({ line, msg }) => line ?? msg)
  expect(numbers.length).toBe(30_002)
  expect(numbers).toEqual(['first', ...Array.from({ length: 30_000 }, (_, line) => line), 'last'])
  expect(code).toBe(7)
})

/** A file that takes at most `room` bytes at a time, and `free` in all, or fails. */
function createTestFile() {
  const unlimited = Number.POSITIVE_INFINITY
  const system = { failure: '', room: unlimited, free: unlimited, written: '', tries: 0 }
  const buffers = new Set<ArrayBufferLike>()
  const writeSync = (_: number, page: Buffer) => {
    system.tries += 1
    if (system.free === 0) system.failure = 'ENOSPC'
    if (system.failure) throw Object.assign(new Error(system.failure), { code: system.failure })
    const part = page.subarray(0, Math.min(system.room, system.free))
    system.free -= part.length
    buffers.add(page.buffer)
    system.written += part.toString()
    return part.length
  }
  const file = createLogFile(1, {
    writeSync,
    write(fd, page, done) {
      try {
        done(null, writeSync(fd, page))
      } catch (error) {
        done(error as Error, 0)
      }
    },
  })
  return { file, system, buffers }
}

test.each(['flush', 'flushSync'] as const)('lines that %s could not write are counted', (flush) => {
  const { file, system } = createTestFile()
  system.failure = 'ENOSPC'
  file.write(Buffer.from('one\n'))
  file.write(Buffer.from('two\n'))
  file[flush]()
  system.failure = ''
  file.write(Buffer.from('three\n'))
  file[flush]()
  const [note = '', ...lines] = system.written.split('\n')
  expect(JSON.parse(note)).toMatchObject({ level: 40, lostBytes: 8 })
  expect(lines).toEqual(['three', ''])
})

test.each(['flush', 'flushSync'] as const)('lines that %s cannot write for long are all counted', (flush) => {
  const { file, system } = createTestFile()
  system.failure = 'ENOSPC'
  for (let time = 0; time < 5; time += 1) {
    file.write(Buffer.from('a line\n'))
    file[flush]()
  }
  system.failure = ''
  file.write(Buffer.from('again\n'))
  file[flush]()
  const [note = '', ...lines] = system.written.split('\n')
  expect(JSON.parse(note)).toMatchObject({ lostBytes: 35 })
  expect(lines).toEqual(['again', ''])
})

test.each(['flush', 'flushSync'] as const)(
  'after a line that %s wrote in part, the note is on its own',
  (flush) => {
    const { file, system } = createTestFile()
    system.free = 10
    file.write(Buffer.from('a line\nanother\n'))
    file[flush]()
    Object.assign(system, { failure: '', free: Number.POSITIVE_INFINITY })
    file.write(Buffer.from('again\n'))
    file[flush]()
    const [first, cut, note = '', ...lines] = system.written.split('\n')
    expect([first, cut, ...lines]).toEqual(['a line', 'ano', 'again', ''])
    expect(JSON.parse(note)).toMatchObject({ lostBytes: 5 })
  },
)

test('a flush to the end leaves nothing of its turn to a write that nobody waits for', () => {
  let written = ''
  const file = createLogFile(1, {
    write: () => {},
    writeSync: (_, page) => {
      written += page.toString()
      return page.length
    },
  })
  file.write(Buffer.alloc(PAGE_BYTES, 'a'))
  file.write(Buffer.from('last\n'))
  file.flushSync()
  expect(written).toBe(`${'a'.repeat(PAGE_BYTES)}last\n`)
})

test('where nobody reads, one try follows another', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { file, system } = createTestFile()
  system.failure = 'EAGAIN'
  for (let page = 0; page < 20; page += 1) {
    file.write(Buffer.alloc(PAGE_BYTES, 'x'))
    await Promise.resolve()
    file.flush()
  }
  expect(system.tries).toBe(1)
  system.failure = ''
  await vi.advanceTimersByTimeAsync(100)
  expect(system.written.length).toBe(20 * PAGE_BYTES)
})

test('pages with little on them wait without the memory of whole ones', () => {
  const { file, buffers } = createTestFile()
  for (let page = 0; page < 20; page += 1) {
    const whole = Buffer.allocUnsafe(PAGE_BYTES)
    whole.write('a line\n')
    file.write(whole.subarray(0, 7))
  }
  file.flushSync()
  expect(buffers.size).toBeLessThan(5)
})

test.each(['flush', 'flushSync'] as const)('%s goes on where the system took a part', (flush) => {
  const { file, system } = createTestFile()
  system.room = 3
  file.write(Buffer.from('a line\n'))
  file.write(Buffer.from('another\n'))
  file[flush]()
  expect(system.written).toBe('a line\nanother\n')
})

test('where nobody reads, a bounded number of bytes waits', () => {
  const { file, system } = createTestFile()
  system.failure = 'EAGAIN'
  const page = Buffer.alloc(1024 * 1024, 'x')
  for (let megabyte = 0; megabyte < 40; megabyte += 1) file.write(page)
  system.failure = ''
  file.flushSync()
  expect(system.written.length).toBe(17 * page.length)
  file.write(Buffer.from('again\n'))
  file.flushSync()
  expect(system.written).toContain(`"lostBytes":${23 * page.length}`)
})
