import { useEffect, useState } from 'react'

export interface Reading<Value> {
  atMs: number
  value: Value
}

const KEPT = 60

/** What was read since the page was opened, the newest last. */
export function useReadings<Value>(value: Value, readAtMs: number): Reading<Value>[] {
  const [readings, setReadings] = useState<Reading<Value>[]>([{ atMs: readAtMs, value }])
  useEffect(() => {
    setReadings((before) =>
      before.at(-1)?.atMs === readAtMs ? before : [...before, { atMs: readAtMs, value }].slice(-KEPT),
    )
  }, [value, readAtMs])
  return readings
}
