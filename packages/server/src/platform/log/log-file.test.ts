import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
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

/** A file that takes at most `room` bytes at a time, or fails. */
function createTestFile() {
  const system = { failure: '', room: Number.POSITIVE_INFINITY, written: '' }
  const writeSync = (_: number, page: Buffer) => {
    if (system.failure) throw Object.assign(new Error(system.failure), { code: system.failure })
    const part = page.subarray(0, system.room)
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
  return { file, system }
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
