import { isMarketplaceError } from '@agent-marketplace/sdk'
import type { Command } from './command.ts'
import { commands } from './commands.ts'
import { CommandError, exitCodes, outcomeOf } from './exit-codes.ts'
import { helpOf, helpOfAll } from './help.ts'
import { openHome } from './home.ts'
import { printable, printableJson } from './output/printable.ts'
import { parseCommand } from './parse.ts'
import { chooseUrl } from './settings.ts'
import type { Terminal } from './terminal.ts'

/** Runs one command line to its end, and returns the exit code. */
export async function run(argv: readonly string[], outside: Terminal, version: string): Promise<number> {
  const terminal = withoutControls(outside)
  const isJson = argv.includes('--json')
  try {
    await runCommand(argv, terminal, version)
    return exitCodes.done
  } catch (error) {
    if (terminal.signal.aborted) {
      terminal.note('Stopped.')
      return exitCodes.interrupted
    }
    terminal.note(isJson ? printableJson(errorRecord(error)) : errorText(error))
    return exitCodes[outcomeOf(error)]
  }
}

/** Nothing reaches a screen as a control, whatever it was made from. A file or a program gets results as they are. */
function withoutControls(terminal: Terminal): Terminal {
  return {
    ...terminal,
    print: (text) => terminal.print(terminal.isScreen ? printable(text) : text),
    note: (text) => terminal.note(printable(text)),
  }
}

async function runCommand(argv: readonly string[], terminal: Terminal, version: string): Promise<void> {
  const [name, ...rest] = argv
  if (name === '--version') return terminal.print(version)
  if (name === undefined || name === '--help' || name === '-h' || name === 'help')
    return terminal.print(helpOfAll(commands).trimEnd())
  const command = findCommand(name)
  const { args, values, common } = parseCommand(command, rest)
  if (common.help) return terminal.print(helpOf(command).trimEnd())
  const home = openHome(terminal)
  const isJson = common.json ?? false
  await command.run(
    {
      terminal,
      home,
      url: chooseUrl(common.url, terminal, home),
      show: (value, draw) => terminal.print(isJson ? printableJson(value) : draw()),
    },
    args,
    values,
  )
}

function findCommand(name: string): Command {
  const command = commands.find((each) => each.name === name)
  if (command) return command
  throw new CommandError('usage', `There is no command “${name}”. See: agent-marketplace --help`)
}

function errorText(error: unknown): string {
  if (error instanceof CommandError) return error.message
  if (!isMarketplaceError(error)) return error instanceof Error ? error.message : String(error)
  const { issues } = error.details as { issues?: { path: string; message: string }[] }
  const lines = Array.isArray(issues) ? issues.map(({ path, message }) => `  ${path} ${message}`) : []
  const request = error.requestId ? ` (request ${error.requestId})` : ''
  return [`${error.message} [${error.code}]${request}`, ...lines].join('\n')
}

/** The same for programs that asked for JSON, on standard error. */
function errorRecord(error: unknown): object {
  if (!isMarketplaceError(error)) return { error: { code: outcomeOf(error), message: errorText(error) } }
  const { code, message, status, details, requestId } = error
  return { error: { code, message, status, details, requestId } }
}
