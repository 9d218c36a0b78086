/** How far the work is: what was last said about it. Steps without a figure leave it as it was. */
export function shownPercent(reports: readonly { percent: number | null }[]): number | undefined {
  return reports.findLast(({ percent }) => percent !== null)?.percent ?? undefined
}
