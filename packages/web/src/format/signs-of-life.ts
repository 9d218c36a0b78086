import { exactTime, timeSpan } from './time.ts'

interface Signs {
  lastSeenAt: string | null
  medianFirstProgressSeconds: number | null
}

/** In one line, for a card that has no room for more. */
export function signsOfLife({ lastSeenAt, medianFirstProgressSeconds: seconds }: Signs): string | undefined {
  const words = [
    ...(lastSeenAt === null ? [] : [`Last seen ${exactTime(Date.parse(lastSeenAt))}.`]),
    ...(seconds === null ? [] : [`First progress in ${timeSpan(seconds * 1000, 1)} (median).`]),
  ]
  return words.length === 0 ? undefined : words.join(' ')
}
