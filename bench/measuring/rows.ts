/** One goal, measured: a ratio to a floor from the same run. */
export interface Row {
  id: string
  what: string
  ratio: number
  goal: string
  /** Undefined for a figure that has no goal. */
  reached: boolean | undefined
  figures: string
}

export const atLeast = (id: string, what: string, ratio: number, goal: number, figures: string): Row => ({
  id,
  what,
  ratio,
  goal: `≥ ${goal}`,
  reached: ratio >= goal,
  figures,
})

export const atMost = (id: string, what: string, ratio: number, goal: number, figures: string): Row => ({
  id,
  what,
  ratio,
  goal: `≤ ${goal}`,
  reached: ratio <= goal,
  figures,
})

export const withoutGoal = (id: string, what: string, ratio: number, figures: string): Row => ({
  id,
  what,
  ratio,
  goal: 'none',
  reached: undefined,
  figures,
})

const verdictOf = ({ reached }: Row): string => {
  if (reached === undefined) return 'no goal'
  return reached ? 'reached' : 'MISSED '
}

export const formatRows = (rows: readonly Row[]): string =>
  rows
    .map(
      (row) =>
        `${row.id}  ${verdictOf(row)}  ${row.ratio.toFixed(2)} (goal ${row.goal})  ${row.what}\n    ${row.figures}`,
    )
    .join('\n')

export const printRows = (rows: readonly Row[]): void => console.log(formatRows(rows))
