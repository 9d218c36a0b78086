import { randomUUID } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { CommandError } from './exit-codes.ts'
import type { Terminal } from './terminal.ts'

const OTHERS = 0o077
const OTHERS_WRITE = 0o022

/** Where the program keeps what is the user's alone: key, sessions, purchases. Each file is written whole or not at all. */
export interface Home {
  pathOf(name: string): string
  /** Undefined where there is no such file. */
  read<Content>(name: string): Content | undefined
  write(name: string, content: object): void
  /** Fails where the file is there already. */
  writeNew(name: string, content: object): void
  /** Adds to a file that only grows. Lines of several processes come one after the other, and are on the disk then. */
  addLine(name: string, line: object): void
  /** In the order in which they were added. One that a crash cut off is left out: `addLine` did not return for it. */
  readLines<Line>(name: string): Line[]
  remove(name: string): void
}

export function openHome(terminal: Pick<Terminal, 'environment' | 'homeDirectory'>): Home {
  const directory = directoryOf(terminal)
  const pathOf = (name: string) => join(directory, `${name}.json`)
  const linesOf = (name: string) => join(directory, `${name}.jsonl`)

  function makeDirectory(path: string): void {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    for (const each of new Set([directory, dirname(path)])) checkOwn(each, statSync(each), OTHERS_WRITE)
  }

  /** Never into a file that is there already, which may be open to others or lead elsewhere. */
  function writeNew(path: string, content: object): void {
    makeDirectory(path)
    writeFileSync(path, `${JSON.stringify(content, undefined, 2)}\n`, {
      mode: 0o600,
      flag: 'wx',
      flush: true,
    })
  }

  const draftOf = (name: string) => `${pathOf(name)}.${randomUUID()}.new`

  return {
    pathOf,
    read(name) {
      const text = readPrivate(pathOf(name))
      if (text === undefined) return undefined
      try {
        return JSON.parse(text)
      } catch (cause) {
        throw new CommandError('failed', `${pathOf(name)} is not JSON. Repair it or move it away.`, { cause })
      }
    },
    write(name, content) {
      const draft = draftOf(name)
      writeNew(draft, content)
      renameSync(draft, pathOf(name))
      flushDirectory(pathOf(name))
    },
    writeNew(name, content) {
      const draft = draftOf(name)
      writeNew(draft, content)
      try {
        linkSync(draft, pathOf(name))
      } finally {
        rmSync(draft)
      }
      flushDirectory(pathOf(name))
    },
    addLine(name, line) {
      const path = linesOf(name)
      makeDirectory(path)
      const { O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_WRONLY } = constants
      const file = openSync(path, O_APPEND | O_CREAT | O_NOFOLLOW | O_WRONLY, 0o600)
      try {
        checkOwn(path, fstatSync(file), OTHERS)
        // The first break ends a line that a crash may have cut off.
        const bytes = Buffer.from(`\n${JSON.stringify(line)}\n`)
        if (writeSync(file, bytes) < bytes.length)
          throw new CommandError('failed', `${path} cannot be written: the disk may be full.`)
        fsyncSync(file)
      } finally {
        closeSync(file)
      }
      flushDirectory(path)
    },
    readLines: <Line>(name: string) =>
      (readPrivate(linesOf(name)) ?? '').split('\n').flatMap(parsedLine<Line>),
    remove: (name) => rmSync(pathOf(name), { force: true }),
  }
}

/** So that the name of a file outlasts a power cut as its content does. Windows has no such call. */
function flushDirectory(path: string): void {
  if (process.platform === 'win32') return
  const directory = openSync(dirname(path), 'r')
  try {
    fsyncSync(directory)
  } finally {
    closeSync(directory)
  }
}

function parsedLine<Line>(text: string): Line[] {
  try {
    return text === '' ? [] : [JSON.parse(text)]
  } catch {
    return []
  }
}

function directoryOf({
  environment,
  homeDirectory,
}: Pick<Terminal, 'environment' | 'homeDirectory'>): string {
  const { AGENT_MARKETPLACE_HOME, XDG_CONFIG_HOME } = environment
  return (
    AGENT_MARKETPLACE_HOME || join(XDG_CONFIG_HOME || join(homeDirectory, '.config'), 'agent-marketplace')
  )
}

/** What other users of the machine can read or change is not used as if it were the user's alone. */
function checkOwn(path: string, { mode, uid }: Stats, forbidden: number): void {
  if (process.platform === 'win32') return
  if (uid !== process.getuid?.()) throw new CommandError('failed', `${path} belongs to another user.`)
  if ((mode & forbidden) === 0) return
  const [what, command] = forbidden === OTHERS ? ['read', 'chmod 600'] : ['change', 'chmod go-w']
  throw new CommandError('failed', `Others can ${what} ${path}. Run: ${command} ${path}`)
}

function readPrivate(path: string): string | undefined {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
  try {
    checkOwn(path, fstatSync(file), OTHERS)
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}
