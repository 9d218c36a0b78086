import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { endOnSignals } from '../../scripts/testing/end-on-signals.ts'
import buildService from '../service/build-service.ts'
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

/** Plays with the built service and ends the process. What happened in a run that failed can be read in its folder. */
export async function runToEnd(play: (run: Run) => Promise<boolean>): Promise<never> {
  const run = openRun()
  endOnSignals(run.close)
  let isGood = false
  try {
    run.onClose(await buildService())
    isGood = await play(run)
  } catch (error) {
    console.error(error)
  } finally {
    await run.close()
  }
  if (isGood) rmSync(run.directory, { recursive: true, force: true })
  else console.error(`The logs are in ${run.directory}/logs`)
  process.exit(isGood ? 0 : 1)
}

/** The folder of one run, and everything in it that has to be ended. */
function openRun(): Run {
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
