import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const LIBRARIES = '/usr/lib'

/** How often a process reads its clock's file, in seconds. */
const READ_EVERY_SECONDS = 1

export interface FakeClock {
  /** What a process is started with that is to go by this clock. */
  environment: Record<string, string>
  /** So many seconds ahead of the machine, also for processes that are running. */
  set(aheadSeconds: number): void
}

/** A clock of its own for a process, by libfaketime. Waits and timers go on as they do. */
export function createFakeClock(directory: string, name: string): FakeClock {
  const clock = clockAt(join(directory, `${name}.clock`))
  clock.set(0)
  return clock
}

/** The one that a process with this environment goes by. */
export function clockOf({ FAKETIME_TIMESTAMP_FILE: file }: NodeJS.ProcessEnv): FakeClock {
  if (!file) throw new Error('this process goes by the clock of the machine')
  return clockAt(file)
}

function clockAt(file: string): FakeClock {
  const set = (aheadSeconds: number): void => {
    writeFileSync(file, `${aheadSeconds < 0 ? '' : '+'}${aheadSeconds}\n`, { mode: 0o644 })
  }
  return {
    set,
    environment: {
      LD_PRELOAD: findLibrary(),
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: String(READ_EVERY_SECONDS),
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
  }
}

/** Debian keeps it in a folder of the machine's kind. */
function findLibrary(): string {
  const found = readdirSync(LIBRARIES)
    .filter((name) => name.endsWith('-linux-gnu'))
    .map((name) => join(LIBRARIES, name, 'faketime', 'libfaketimeMT.so.1'))
  if (found[0] === undefined) throw new Error('libfaketime is not installed')
  return found[0]
}
