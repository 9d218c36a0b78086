// What the measurement of branches prints: a table by contract, every outcome that no test takes, and a line for programs.

import type { MeasuredBranch } from './measure.ts'

export interface Summary {
  branches: number
  outcomes: number
  taken: number
  /** Rounded down, so that a goal is never reached by rounding. */
  percent: number
}

export function summarize(branches: readonly MeasuredBranch[]): Summary {
  const outcomes = branches.flatMap((branch) => branch.outcomes)
  const taken = outcomes.filter(({ isTaken }) => isTaken).length
  const percent = Math.floor((taken / Math.max(1, outcomes.length)) * 1_000) / 10
  return { branches: branches.length, outcomes: outcomes.length, taken, percent }
}

export function writeReport(branches: readonly MeasuredBranch[]): string {
  const rows = [...Map.groupBy(branches, ({ contract }) => contract)].map(([name, own]) =>
    row(name, summarize(own)),
  )
  return [
    `${'contract'.padEnd(28)}branches  outcomes  taken  percent`,
    ...rows.sort(),
    row('all', summarize(branches)),
    '',
    ...missing(branches),
  ].join('\n')
}

const row = (name: string, { branches, outcomes, taken, percent }: Summary): string =>
  `${name.padEnd(28)}${String(branches).padStart(8)}${String(outcomes).padStart(10)}${String(taken).padStart(7)}${percent.toFixed(1).padStart(9)}`

function missing(branches: readonly MeasuredBranch[]): string[] {
  const inOrder = branches.toSorted((a, b) => a.file.localeCompare(b.file) || a.line - b.line)
  const lines = inOrder.flatMap(({ file, line, text, outcomes }) =>
    outcomes
      .filter(({ isTaken }) => !isTaken)
      .map(({ name }) => `  ${file}:${line}  never ${name}: ${text.slice(0, 100)}`),
  )
  return lines.length === 0 ? ['Every outcome is taken.'] : ['Outcomes that no test takes:', ...lines]
}
