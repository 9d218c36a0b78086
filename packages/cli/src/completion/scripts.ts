// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what stands in them is for the shell.
import type { Command, OptionSpec } from '../command.ts'
import { commonOptions } from '../parse.ts'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

/** The completion script of a shell, from the same table that parsing and help are made from. */
export function scriptOf(shell: Shell, commands: readonly Command[]): string {
  return writers[shell](commands)
}

const writers: Record<Shell, (commands: readonly Command[]) => string> = {
  bash: bashScript,
  zsh: (commands) =>
    ['#compdef agent-marketplace', 'autoload -U +X bashcompinit && bashcompinit', bashScript(commands)].join(
      '\n',
    ),
  fish: fishScript,
}

const optionsOf = ({ options }: Command): [string, OptionSpec][] =>
  Object.entries({ ...options, ...commonOptions })

/** Words to choose from: of the arguments, all together, since they differ from each other. */
const choicesOf = (command: Command): string[] => command.arguments.flatMap(({ choices = [] }) => choices)

function bashScript(commands: readonly Command[]): string {
  const names = commands.map(({ name }) => name).join(' ')
  const cases = commands.map((command) => {
    const flags = optionsOf(command).map(([name]) => `--${name}`)
    return `    ${command.name}) words='${[...choicesOf(command), ...flags].join(' ')}' ;;`
  })
  const values = commands.flatMap((command) =>
    optionsOf(command)
      .filter(([, { takes }]) => takes !== undefined)
      .map(([name, { choices, takes }]) => {
        const reply =
          takes === 'path'
            ? 'COMPREPLY=($(compgen -f -- "$word"))'
            : `COMPREPLY=($(compgen -W '${(choices ?? []).join(' ')}' -- "$word"))`
        return `    ${command.name}:--${name}) ${reply}; return ;;`
      }),
  )
  return [
    '_agent_marketplace() {',
    '  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" words',
    '  COMPREPLY=()',
    `  if [ "$COMP_CWORD" -eq 1 ]; then COMPREPLY=($(compgen -W '${names} --help --version' -- "$word")); return; fi`,
    '  case "${COMP_WORDS[1]}:$before" in',
    ...values,
    '  esac',
    '  case "${COMP_WORDS[1]}" in',
    ...cases,
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "$word"))',
    '}',
    'complete -o filenames -F _agent_marketplace agent-marketplace',
    '',
  ].join('\n')
}

function fishScript(commands: readonly Command[]): string {
  const lines = commands.flatMap((command) => {
    const { name, summary } = command
    const within = `complete -c agent-marketplace -n '__fish_seen_subcommand_from ${name}'`
    return [
      `complete -c agent-marketplace -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
      ...(choicesOf(command).length > 0 ? [`${within} -a '${choicesOf(command).join(' ')}'`] : []),
      ...optionsOf(command).map(([option, { summary: words, takes, choices }]) => {
        const value =
          takes === undefined ? '' : takes === 'path' ? ' -rF' : ` -x -a '${(choices ?? []).join(' ')}'`
        return `${within} -l ${option}${value} -d ${quoted(words)}`
      }),
    ]
  })
  return ['complete -c agent-marketplace -f', ...lines, ''].join('\n')
}

const quoted = (text: string): string => `'${text.replaceAll(/['\\]/g, '\\$&')}'`
