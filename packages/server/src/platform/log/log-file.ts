import { Buffer } from 'node:buffer'
import * as fs from 'node:fs'
import { PAGE_BYTES, type PageFile } from '../fast/line-pages.ts'

const MAX_WAITING_BYTES = 16 * 1024 * 1024
const BUSY_RETRY_MS = 50
const LONGEST_FLUSH_MS = 1_000

type SystemCalls = {
  write(fd: number, page: Buffer, done: (error: NodeJS.ErrnoException | null, bytes: number) => void): void
  writeSync(fd: number, page: Buffer): number
}

const isBusy = (error: NodeJS.ErrnoException) => error.code === 'EAGAIN' || error.code === 'EBUSY'

/**
 * Writes pages in order, to a pipe, a terminal or a file. The log never stops the service: where the reader is gone, the
 * disk is full or nobody reads for too long, lines are lost, and the first ones that can be written again follow a note of
 * how many bytes they were. A flush to the end gives up in the same way.
 */
export function createLogFile(fd: number, { write, writeSync }: SystemCalls = fs): PageFile {
  const waiting: Buffer[] = []
  let waitingBytes = 0
  let lostBytes = 0
  /** The system has a page, and has not said yet how much of it is written. */
  let isWriting = false

  function take(): Buffer | undefined {
    const page = waiting.shift()
    waitingBytes -= page?.length ?? 0
    return page
  }

  function putBack(page: Buffer): void {
    if (page.length === 0) return
    waiting.unshift(page)
    waitingBytes += page.length
  }

  function loseAll(page: Buffer): void {
    lostBytes += page.length + waitingBytes
    waiting.length = 0
    waitingBytes = 0
  }

  function add(page: Buffer): void {
    waiting.push(page)
    waitingBytes += page.length
  }

  function addNoteOfLoss(): void {
    const note = { level: 40, time: Date.now(), lostBytes, msg: 'the log could not be written for a while' }
    lostBytes = 0
    add(Buffer.from(`${JSON.stringify(note)}\n`))
  }

  function writeNext(): void {
    const page = isWriting ? undefined : take()
    if (!page) return
    isWriting = true
    write(fd, page, (error, bytes) => {
      isWriting = false
      if (error && !isBusy(error)) return loseAll(page)
      putBack(error ? page : page.subarray(bytes))
      if (error) setTimeout(writeNext, BUSY_RETRY_MS).unref()
      else writeNext()
    })
  }

  return {
    write(page) {
      if (waitingBytes > MAX_WAITING_BYTES) lostBytes += page.length
      else {
        if (lostBytes > 0) addNoteOfLoss()
        add(page)
      }
      if (waitingBytes >= PAGE_BYTES) writeNext()
    },
    flush: writeNext,
    flushSync() {
      const until = performance.now() + LONGEST_FLUSH_MS
      for (let page = take(); page; page = take()) {
        try {
          putBack(page.subarray(writeSync(fd, page)))
        } catch (error) {
          if (!isBusy(error as NodeJS.ErrnoException) || performance.now() > until) return loseAll(page)
          putBack(page)
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_RETRY_MS)
        }
      }
    },
  }
}
