import type { Area } from './areas.ts'

interface Place {
  line: number
  column: number
}

interface Mutant {
  mutatorName: string
  replacement?: string
  status: string
  location: { start: Place; end: Place }
}

/** What Stryker writes, as far as it is read here. */
export interface Report {
  files: Record<string, { source: string; mutants: Mutant[] }>
}

export interface Score {
  name: string
  goal: number
  found: number
  /** Each as `file:line:column  original → replacement`. */
  missed: string[]
  /** Found mutants of a hundred, rounded down: 99.99 is not 100. */
  percent: number
}

const isFound = ({ status }: Mutant): boolean => status === 'Killed' || status === 'Timeout'
const isMissed = ({ status }: Mutant): boolean => status === 'Survived' || status === 'NoCoverage'

/** How many mutants of an area its tests found. */
export function scoreOf({ name, goal, files }: Area, report: Report): Score {
  const mutants = files.flatMap((file) => {
    const { source, mutants } = report.files[file] ?? { source: '', mutants: [] }
    return mutants.map((mutant) => ({ file, mutant, original: textAt(source, mutant.location) }))
  })
  const found = mutants.filter(({ mutant }) => isFound(mutant)).length
  const missed = mutants.filter(({ mutant }) => isMissed(mutant))
  return {
    name,
    goal,
    found,
    missed: missed.map(inWords),
    percent: found === 0 ? 0 : Math.floor((found * 1_000) / (found + missed.length)) / 10,
  }
}

interface Survivor {
  file: string
  original: string
  mutant: Mutant
}

function inWords({ file, original, mutant }: Survivor): string {
  const { start } = mutant.location
  const onOneLine = (text = ''): string => text.replaceAll(/\s+/g, ' ').slice(0, 100)
  const change = `${onOneLine(original)} → ${onOneLine(mutant.replacement)}`
  return `${file}:${start.line}:${start.column}  ${change}${mutant.status === 'NoCoverage' ? '  (no test runs it)' : ''}`
}

/** Lines and columns count from 1, and the end is excluded. */
function textAt(source: string, { start, end }: Mutant['location']): string {
  const lines = source.split('\n').slice(start.line - 1, end.line)
  const last = lines.length - 1
  return lines
    .map((line, index) =>
      line.slice(index === 0 ? start.column - 1 : 0, index === last ? end.column - 1 : undefined),
    )
    .join('\n')
}
