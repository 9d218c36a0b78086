/** One goal, measured: a ratio to a floor from the same run. */
export interface Row {
  id: string
  what: string
  ratio: number
  goal: string
  reached: boolean
  figures: string
}

export function printRows(rows: readonly Row[]): void {
  for (const { id, what, ratio, goal, reached, figures } of rows) {
    console.log(
      `${id}  ${reached ? 'reached' : 'MISSED '}  ${ratio.toFixed(2)} (goal ${goal})  ${what}\n    ${figures}`,
    )
  }
}
