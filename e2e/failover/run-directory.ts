import { chmodSync, mkdirSync } from 'node:fs'
import { type Children, createChildren } from './children.ts'
import { directoryOf, endLeftovers } from './leftovers.ts'

export interface Run {
  directory: string
  children: Children
  /** The last one goes first. */
  onClose(close: () => Promise<void> | void): void
  /** Ends everything that this run has started. */
  close(): Promise<void>
}

/** The folder of one run, and everything in it that has to be ended. */
export function openRun(): Run {
  endLeftovers()
  const directory = directoryOf(process.pid)
  mkdirSync(directory)
  // Open to pass through: PostgreSQL runs as another account.
  chmodSync(directory, 0o711)
  const children = createChildren(directory)
  const closers: (() => Promise<void> | void)[] = [() => children.endAll()]
  let closing: Promise<void> | undefined

  async function closeAll(): Promise<void> {
    for (const close of closers.toReversed()) {
      try {
        await close()
      } catch (error) {
        console.error(error)
      }
    }
  }
  return {
    directory,
    children,
    onClose: (close) => void closers.push(close),
    close: () => (closing ??= closeAll()),
  }
}
