import { parseArgs } from 'node:util'
import type { Command, OptionSpec, Values } from './command.ts'
import { CommandError } from './exit-codes.ts'

/** What every command takes. */
export const commonOptions = {
  url: { takes: 'url', summary: 'Where the marketplace is' },
  json: { summary: 'Print JSON' },
  help: { summary: 'Show this help' },
} as const satisfies Record<string, OptionSpec>

export interface Parsed {
  args: readonly string[]
  values: Values<Record<string, OptionSpec>>
  common: Values<typeof commonOptions>
}

export function parseCommand(command: Command, argv: readonly string[]): Parsed {
  const specs: Record<string, OptionSpec> = { ...command.options, ...commonOptions }
  const { values, positionals } = parseStrictly(command, specs, argv)
  const { url, json, help, ...own } = values
  const common = { url, json, help } as Values<typeof commonOptions>
  if (!help) check(command, specs, values, positionals)
  return { args: positionals, values: own as Parsed['values'], common }
}

function parseStrictly(command: Command, specs: Record<string, OptionSpec>, argv: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(specs).map(([name, { takes, isMany }]) => [
      name,
      {
        type: takes === undefined ? ('boolean' as const) : ('string' as const),
        multiple: isMany ?? false,
        ...shortOf(name),
      },
    ]),
  )
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true, strict: true })
  } catch (error) {
    const { message } = error as Error
    throw new CommandError(
      'usage',
      `${message.split('. ')[0]}. See: agent-marketplace ${command.name} --help`,
    )
  }
}

const shortOf = (name: string) => (name === 'help' ? { short: 'h' } : {})

function check(
  command: Command,
  specs: Record<string, OptionSpec>,
  values: Record<string, unknown>,
  positionals: readonly string[],
): void {
  const last = command.arguments.at(-1)
  if (positionals.length > command.arguments.length && !last?.isMany)
    throw wrong(command, `“${positionals.at(command.arguments.length)}” is one argument too many`)
  for (const [index, { name, isOptional, choices }] of command.arguments.entries()) {
    const value = positionals[index]
    if (value === undefined && !isOptional) throw wrong(command, `<${name}> is missing`)
    if (value !== undefined) checkChoice(command, `<${name}>`, value, choices)
  }
  for (const [name, value] of Object.entries(values))
    for (const each of [value].flat())
      if (typeof each === 'string') checkChoice(command, `--${name}`, each, specs[name]?.choices)
}

function checkChoice(
  command: Command,
  name: string,
  value: string,
  choices: readonly string[] | undefined,
): void {
  if (choices && !choices.includes(value))
    throw wrong(command, `${name} is one of ${choices.join(', ')}, not “${value}”`)
}

const wrong = ({ name }: Command, message: string): CommandError =>
  new CommandError('usage', `${message}. See: agent-marketplace ${name} --help`)
