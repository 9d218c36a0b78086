import type { Home } from './home.ts'
import type { Terminal } from './terminal.ts'

export interface OptionSpec {
  summary: string
  /** What the value is, as the help names it; without it the option is a switch. */
  takes?: string
  /** It may be given several times. */
  isMany?: true
  choices?: readonly string[]
}

export interface ArgumentSpec {
  name: string
  summary: string
  isOptional?: boolean
  /** The last argument of a command may come several times. */
  isMany?: boolean
  choices?: readonly string[]
}

type Specs = Record<string, OptionSpec>

export type Values<Options extends Specs> = {
  [Name in keyof Options]?: Value<Options[Name]> | undefined
}

type Value<Option extends OptionSpec> = Option extends { takes: string }
  ? Option extends { isMany: true }
    ? string[]
    : string
  : boolean

/** What a command works with. */
export interface Context {
  terminal: Terminal
  home: Home
  /** Where the marketplace is. */
  url: string
  /** The result: as JSON for programs, else as it is drawn for people. */
  show(value: unknown, draw: () => string): void
}

export interface Command {
  name: string
  summary: string
  arguments: readonly ArgumentSpec[]
  options: Specs
  run(context: Context, args: readonly (string | undefined)[], values: Values<Specs>): Promise<void> | void
}

/** A command as its file writes it: the values are typed by the options. */
interface Definition<Options extends Specs> extends Omit<Command, 'options' | 'run'> {
  options: Options
  run(context: Context, args: readonly (string | undefined)[], values: Values<Options>): Promise<void> | void
}

/** Parsing, help and completion are all made from what is written here. */
export function defineCommand<const Options extends Specs>(definition: Definition<Options>): Command {
  return definition as unknown as Command
}
