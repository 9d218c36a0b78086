import { Buffer } from 'node:buffer'

/** A file that takes bytes and writes them by and by, in order. */
export interface PageFile {
  write(page: Buffer | string): boolean
  flushSync(): void
}

export interface Pages {
  write(line: string): void
  /** Hands over what there is; the file writes it by itself. */
  flush(): void
  /** Returns when all is written. */
  flushSync(): void
}

const PAGE_BYTES = 65_536
const MAX_BYTES_PER_UNIT = 3

/**
 * Gathers lines as bytes on a page and hands over full pages. A line costs one copy this way; gathered as text, the same
 * lines cost four times as much, because the file measures all of its text again with each line that is added.
 */
export function createPages(file: PageFile): Pages {
  let page = Buffer.allocUnsafe(PAGE_BYTES)
  let used = 0

  function flush(): void {
    if (used === 0) return
    file.write(page.subarray(0, used))
    page = Buffer.allocUnsafe(PAGE_BYTES)
    used = 0
  }

  return {
    write(line) {
      const most = line.length * MAX_BYTES_PER_UNIT
      if (most > PAGE_BYTES - used) flush()
      if (most > PAGE_BYTES) file.write(Buffer.from(line))
      else used += page.write(line, used)
    },
    flush,
    flushSync() {
      flush()
      file.flushSync()
    },
  }
}
