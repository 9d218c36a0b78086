/** "41%" of a whole; below one percent "<1%", and nothing where there is no whole. */
export function percentText(part: bigint | number, whole: bigint | number): string | undefined {
  const [partly, wholly] = [Number(part), Number(whole)]
  if (wholly <= 0) return undefined
  const percent = (partly / wholly) * 100
  if (percent > 0 && percent < 1) return '<1%'
  return `${Math.floor(percent)}%`
}
