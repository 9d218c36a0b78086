export const grouped = (value: number): string => value.toLocaleString('en-US')

export const numberIn = (output: string, pattern: RegExp): number | undefined => {
  const found = pattern.exec(output)?.[1]
  return found === undefined ? undefined : Number(found)
}

/** The last line of the output that is a JSON object with this member. */
export function jsonWith(output: string, member: string): Record<string, unknown> | undefined {
  const line = output.split('\n').findLast((text) => text.startsWith('{') && text.includes(`"${member}":`))
  return line === undefined ? undefined : JSON.parse(line)
}

/** What tests print for a goal under `LONG_RUN=proof`. */
export function figuresOf(output: string, goal: string): Record<string, number>[] {
  const lines = output.split('\n').filter((text) => text.startsWith(`proof ${goal} {`))
  return lines.map((line) => JSON.parse(line.slice(`proof ${goal} `.length)))
}
