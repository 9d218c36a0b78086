import { Buffer } from 'node:buffer'

/** A file that takes bytes and writes them in order: when it is flushed, or by itself when it has a page of them. */
export interface PageFile {
  write(page: Buffer): void
  /** Begins to write. */
  flush(): void
  flushSync(): void
}

export interface Pages {
  write(line: string): void
  /** Begins to write what there is. */
  flush(): void
  /** Returns when all is written. */
  flushSync(): void
}

export const PAGE_BYTES = 65_536
const MAX_BYTES_PER_UNIT = 3

/**
 * Gathers lines as bytes on a page and hands over full pages. A line costs one copy this way; gathered as text, the same
 * lines cost four times as much, because the file measures all of its text again with each line that is added.
 */
export function createPages(file: PageFile): Pages {
  let page = Buffer.allocUnsafe(PAGE_BYTES)
  let used = 0
  /** The file has something that it may not have begun to write. */
  let isHandedOver = false

  function handOver(): void {
    if (used === 0) return
    handOverBytes(page.subarray(0, used))
    page = Buffer.allocUnsafe(PAGE_BYTES)
    used = 0
  }

  function handOverBytes(bytes: Buffer): void {
    file.write(bytes)
    isHandedOver = true
  }

  return {
    write(line) {
      const most = line.length * MAX_BYTES_PER_UNIT
      if (most > PAGE_BYTES - used) handOver()
      if (most > PAGE_BYTES) handOverBytes(Buffer.from(line))
      else used += page.write(line, used)
    },
    flush() {
      handOver()
      if (isHandedOver) file.flush()
      isHandedOver = false
    },
    flushSync() {
      handOver()
      file.flushSync()
      isHandedOver = false
    },
  }
}
