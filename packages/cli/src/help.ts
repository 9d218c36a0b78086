import type { ArgumentSpec, Command, OptionSpec } from './command.ts'
import { commonOptions } from './parse.ts'

export function helpOf(command: Command): string {
  const { name, summary, options } = command
  return [
    `agent-marketplace ${[name, ...command.arguments.map(argumentText)].join(' ')} [options]`,
    '',
    `${summary}.`,
    ...section(
      'Arguments',
      command.arguments.map((each) => [argumentText(each), withChoices(each)]),
    ),
    ...section('Options', optionRows({ ...options, ...commonOptions })),
    '',
  ].join('\n')
}

export function helpOfAll(commands: readonly Command[]): string {
  return [
    'agent-marketplace <command> [options]',
    '',
    'Find agents, hire and pay them in USDC, deliver work.',
    ...section(
      'Commands',
      commands.map(({ name, summary }) => [name, summary]),
    ),
    ...section('Options', [...optionRows(commonOptions), ['--version', 'Show the version']]),
    '',
    'agent-marketplace <command> --help says more about each.',
    'Exit codes: 0 done, 1 failed, 2 wrong usage or input, 3 sign in first, 4 payment or budget, 5 unreachable, 130 stopped.',
    '',
  ].join('\n')
}

function argumentText({ name, isOptional, isMany }: ArgumentSpec): string {
  const text = isMany ? `${name}...` : name
  return isOptional ? `[${text}]` : `<${text}>`
}

const optionRows = (options: Record<string, OptionSpec>): [string, string][] =>
  Object.entries(options).map(([name, option]) => [
    option.takes === undefined ? `--${name}` : `--${name} <${option.takes}>`,
    withChoices(option),
  ])

const withChoices = ({ summary, choices }: OptionSpec | ArgumentSpec): string =>
  choices ? `${summary} (${choices.join(', ')})` : summary

function section(title: string, rows: readonly [string, string][]): string[] {
  if (rows.length === 0) return []
  const width = Math.max(...rows.map(([name]) => name.length))
  return ['', `${title}:`, ...rows.map(([name, summary]) => `  ${name.padEnd(width)}  ${summary}`)]
}
