import { type Setting, type SettingName, settings } from './settings.ts'

export type Environment = Readonly<Record<string, string | undefined>>
export type SettingReader = ReturnType<typeof createSettingReader>
export type GetSetting = SettingReader['get']

/** Reads settings by their kind. What is wrong is added to `problems`, so that all of it can be said at once. */
export function createSettingReader(environment: Environment) {
  const problems: string[] = []
  const get = (name: SettingName): string | undefined => {
    const setting: Setting = settings[name]
    const value = environment[name]?.trim()
    return value ? value : setting.default
  }
  const text = (name: SettingName): string => get(name) ?? ''
  const entriesOf = (name: SettingName): string[] =>
    text(name)
      .split(',')
      .map((entry) => entry.trim())
      .filter(Boolean)
  /** It may hold a password, so that a wrong one is named and not repeated. */
  const checkUrl = (name: SettingName, value: string, protocols: readonly string[]): void => {
    const protocol = URL.parse(value)?.protocol
    if (!protocols.some((allowed) => allowed === protocol))
      problems.push(`${name} must be an address that begins with ${protocols.join('// or ')}//`)
  }
  return {
    problems,
    get,
    text,
    number(name: SettingName, from: number, to: number): number {
      const value = Number(text(name))
      if (Number.isInteger(value) && value >= from && value <= to) return value
      problems.push(`${name} must be a whole number from ${from} to ${to}`)
      return from
    },
    choice<const Value extends string>(name: SettingName, values: readonly [Value, ...Value[]]): Value {
      const found = values.find((value) => value === text(name))
      if (found === undefined) problems.push(`${name} must be one of ${values.join(', ')}`)
      return found ?? values[0]
    },
    list(name: SettingName, isRight: (entry: string) => boolean, what: string): string[] {
      const entries = entriesOf(name)
      for (const entry of entries)
        if (!isRight(entry)) problems.push(`${name}: ${entry.slice(0, 60)} is not ${what}`)
      return entries
    },
    /** An address of something outside. */
    url(name: SettingName, protocols: readonly string[]): string | undefined {
      const value = get(name)
      if (value !== undefined) checkUrl(name, value, protocols)
      return value
    },
    /** Several of them, comma separated. */
    urls(name: SettingName, protocols: readonly string[]): string[] {
      const values = entriesOf(name)
      for (const value of values) checkUrl(name, value, protocols)
      return values
    },
    /** Settings that only make sense together: all of them, or none. */
    group<Key extends string>(names: Record<Key, SettingName>): Record<Key, string> | undefined {
      const entries = Object.entries<SettingName>(names).map(([key, name]) => [key, name, get(name)] as const)
      if (entries.every(([, , value]) => value === undefined)) return undefined
      const missing = entries.filter(([, , value]) => value === undefined).map(([, name]) => name)
      const given = entries.filter(([, , value]) => value !== undefined).map(([, name]) => name)
      if (missing.length > 0) problems.push(`${given.join(', ')} needs ${missing.join(', ')} too`)
      return Object.fromEntries(entries.map(([key, , value]) => [key, value ?? ''])) as Record<Key, string>
    },
  }
}
