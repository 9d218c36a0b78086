import { useNowMs } from '../../data/platform/clock.ts'
import { cx } from '../../design/cx.ts'
import { exactTime, localTime, relativeTime, timeLeft } from '../../format/time.ts'

/** A chain's blocks may be some seconds ahead of every other clock: what they hold has still happened. */
const CLOCK_SLACK_MS = 20_000

/** When something was or will be, by the service's clock, the exact time on hover. */
export function TimeAgo({ at, className }: { at: string; className?: string }) {
  const nowMs = useNowMs(15_000)
  const atMs = Date.parse(at)
  const isNow = Math.abs(atMs - nowMs) < CLOCK_SLACK_MS
  return (
    <time dateTime={at} title={exactTime(atMs)} className={cx('whitespace-nowrap', className)}>
      {isNow ? 'just now' : relativeTime(atMs, nowMs)}
    </time>
  )
}

/** A day and an hour, for what is fixed: where the reader is, with UTC on hover. */
export function ExactTime({ at, className }: { at: string; className?: string }) {
  const atMs = Date.parse(at)
  return (
    <time dateTime={at} title={exactTime(atMs)} className={cx('whitespace-nowrap', className)}>
      {localTime(atMs)}
    </time>
  )
}

interface CountdownProps {
  until: string
  /** What stands there once it is over. */
  over?: string
  className?: string
}

/** What is left until a limit, by the service's clock: time travel in the sandbox moves it. */
export function Countdown({ until, over = 'now due', className }: CountdownProps) {
  const nowMs = useNowMs(1_000)
  const untilMs = Date.parse(until)
  return (
    <time
      dateTime={until}
      title={exactTime(untilMs)}
      className={cx('font-mono whitespace-nowrap tabular-nums', className)}
    >
      {nowMs >= untilMs ? over : timeLeft(untilMs, nowMs)}
    </time>
  )
}
