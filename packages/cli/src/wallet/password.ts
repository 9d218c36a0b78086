import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { CommandError } from '../exit-codes.ts'
import type { Terminal } from '../terminal.ts'

/** Passwords are never arguments: other users of a machine see those, and shells keep them. */
export async function askPassword(
  terminal: Terminal,
  question: string,
  missing = 'The key is locked, and nobody is here to enter its password',
): Promise<string> {
  const { AGENT_MARKETPLACE_PASSWORD: given, AGENT_MARKETPLACE_PASSWORD_FILE: file } = terminal.environment
  if (given) return given
  if (file) return readFileSync(resolve(terminal.directory, file), 'utf8').replace(/\r?\n$/, '')
  if (terminal.isInteractive) return terminal.askSecret(question)
  throw new CommandError(
    'signIn',
    `${missing}: set AGENT_MARKETPLACE_PASSWORD or AGENT_MARKETPLACE_PASSWORD_FILE.`,
  )
}

/** A new password is typed twice: a slip of the finger would lock the key forever. */
export async function askNewPassword(terminal: Terminal): Promise<string> {
  const password = await askPassword(
    terminal,
    'New password for the key file: ',
    'The new key needs a password, and nobody is here to enter one',
  )
  const { AGENT_MARKETPLACE_PASSWORD: given, AGENT_MARKETPLACE_PASSWORD_FILE: file } = terminal.environment
  if (given || file) return password
  const again = await terminal.askSecret('The same once more: ')
  if (again !== password) throw new CommandError('usage', 'The two passwords differ. Nothing was saved.')
  return password
}
