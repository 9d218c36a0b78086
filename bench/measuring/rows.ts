/** One goal, measured: a ratio to a floor from the same run. */
export interface Row {
  id: string
  what: string
  ratio: number
  goal: string
  reached: boolean
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

export const formatRows = (rows: readonly Row[]): string =>
  rows
    .map(
      ({ id, what, ratio, goal, reached, figures }) =>
        `${id}  ${reached ? 'reached' : 'MISSED '}  ${ratio.toFixed(2)} (goal ${goal})  ${what}\n    ${figures}`,
    )
    .join('\n')

export const printRows = (rows: readonly Row[]): void => console.log(formatRows(rows))
