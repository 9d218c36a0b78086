import { Buffer } from 'node:buffer'
import * as fs from 'node:fs'
import { PAGE_BYTES, type PageFile } from '../fast/line-pages.ts'

const MAX_WAITING_BYTES = 16 * 1024 * 1024
/** A pipe has room for 64 KB, so this is also how fast lines get through one that is never blocked. */
const BUSY_RETRY_MS = 3
const LONGEST_FLUSH_MS = 1_000
const NEWLINE = 0x0a

interface Waiting {
  page: Buffer
  /** Of a note of a loss: the bytes that are lost again if it is not written. */
  notedBytes?: number | undefined
}

type SystemCalls = {
  write(fd: number, page: Buffer, done: (error: NodeJS.ErrnoException | null, bytes: number) => void): void
  writeSync(fd: number, page: Buffer): number
}

const isBusy = (error: NodeJS.ErrnoException) => error.code === 'EAGAIN' || error.code === 'EBUSY'

/** A page with little on it must not keep the memory of a whole one while it waits. */
const fitted = (page: Buffer): Buffer => (page.length * 2 < page.buffer.byteLength ? Buffer.from(page) : page)

/**
 * Writes pages in order, to a pipe, a terminal or a file. The log never stops the service: where the reader is gone, the
 * disk is full or nobody reads for too long, lines are lost, and the first ones that can be written again follow a note of
 * how many bytes they were. A flush to the end gives up in the same way.
 */
export function createLogFile(fd: number, { write, writeSync }: SystemCalls = fs): PageFile {
  const waiting: Waiting[] = []
  let waitingBytes = 0
  let lostBytes = 0
  /** The system has a page, or had no room for it a moment ago. */
  let isWriting = false
  /** What was written last is not the end of a line. */
  let isInLine = false

  function add(one: Waiting): void {
    waiting.push(one)
    waitingBytes += one.page.length
  }

  function take(): Waiting | undefined {
    const one = waiting.shift()
    waitingBytes -= one?.page.length ?? 0
    return one
  }

  function putBackRest({ page, notedBytes }: Waiting, bytes: number): void {
    if (bytes > 0) isInLine = page[bytes - 1] !== NEWLINE
    const rest = page.subarray(bytes)
    if (rest.length === 0) return
    waiting.unshift({ page: rest, notedBytes })
    waitingBytes += rest.length
  }

  function loseAll(first: Waiting): void {
    for (const { page, notedBytes = page.length } of [first, ...waiting]) lostBytes += notedBytes
    waiting.length = 0
    waitingBytes = 0
  }

  function addNoteOfLoss(): void {
    const note = { level: 40, time: Date.now(), lostBytes, msg: 'the log could not be written for a while' }
    const begin = isInLine && waiting.length === 0 ? '\n' : ''
    add({ page: Buffer.from(`${begin}${JSON.stringify(note)}\n`), notedBytes: lostBytes })
    lostBytes = 0
  }

  function writeNext(): void {
    const next = isWriting ? undefined : take()
    if (!next) return
    isWriting = true
    write(fd, next.page, (error, bytes) => {
      if (error && isBusy(error)) {
        putBackRest(next, 0)
        setTimeout(goOn, BUSY_RETRY_MS).unref()
      } else if (error) {
        isWriting = false
        loseAll(next)
      } else {
        putBackRest(next, bytes)
        goOn()
      }
    })
  }

  function goOn(): void {
    isWriting = false
    writeNext()
  }

  return {
    write(page) {
      if (waitingBytes > MAX_WAITING_BYTES) lostBytes += page.length
      else {
        if (lostBytes > 0) addNoteOfLoss()
        add({ page: fitted(page) })
      }
      // Not at once: what is flushed to the end in this turn must not follow a page that is still being written.
      if (waitingBytes >= PAGE_BYTES) queueMicrotask(writeNext)
    },
    flush: writeNext,
    flushSync() {
      const until = performance.now() + LONGEST_FLUSH_MS
      for (let next = take(); next; next = take()) {
        try {
          putBackRest(next, writeSync(fd, next.page))
        } catch (error) {
          if (!isBusy(error as NodeJS.ErrnoException) || performance.now() > until) return loseAll(next)
          putBackRest(next, 0)
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_RETRY_MS)
        }
      }
    },
  }
}
