/**
 * "41%" of a whole, rounded by itself, so that parts may add up to a percent more or less than 100%; below one percent
 * "<1%", all of it only where it is, and nothing where there is no whole.
 */
export function percentText(part: bigint | number, whole: bigint | number): string | undefined {
  const [partly, wholly] = [Number(part), Number(whole)]
  if (wholly <= 0) return undefined
  const percent = (partly / wholly) * 100
  if (percent > 0 && percent < 1) return '<1%'
  return `${percent < 100 ? Math.min(99, Math.round(percent)) : Math.floor(percent)}%`
}
