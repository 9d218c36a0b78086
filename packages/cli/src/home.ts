import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from './exit-codes.ts'
import type { Terminal } from './terminal.ts'

const OTHERS = 0o077

/** Where the program keeps what is the user's alone: key, sessions, purchases. Each file is written whole or not at all. */
export interface Home {
  pathOf(name: string): string
  /** Undefined where there is no such file. */
  read<Content>(name: string): Content | undefined
  write(name: string, content: object): void
  /** Fails where the file is there already. */
  writeNew(name: string, content: object): void
  remove(name: string): void
}

export function openHome(terminal: Pick<Terminal, 'environment' | 'homeDirectory'>): Home {
  const directory = directoryOf(terminal)
  const pathOf = (name: string) => join(directory, `${name}.json`)

  function write(name: string, content: object, flag: 'w' | 'wx', target = pathOf(name)): void {
    mkdirSync(join(target, '..'), { recursive: true, mode: 0o700 })
    writeFileSync(target, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600, flag, flush: true })
  }

  return {
    pathOf,
    read(name) {
      const text = readPrivate(pathOf(name))
      if (text === undefined) return undefined
      try {
        return JSON.parse(text)
      } catch (cause) {
        throw new CommandError('failed', `${pathOf(name)} is not JSON. Mend it or move it away.`, { cause })
      }
    },
    write(name, content) {
      const draft = `${pathOf(name)}.${process.pid}.new`
      write(name, content, 'w', draft)
      renameSync(draft, pathOf(name))
    },
    writeNew: (name, content) => write(name, content, 'wx'),
    remove: (name) => rmSync(pathOf(name), { force: true }),
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

/** A key or session that other users of the machine can read is not used as if it were secret. */
function readPrivate(path: string): string | undefined {
  try {
    const isOpen = process.platform !== 'win32' && (statSync(path).mode & OTHERS) !== 0
    if (isOpen) throw new CommandError('failed', `Others can read ${path}. Run: chmod 600 ${path}`)
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
