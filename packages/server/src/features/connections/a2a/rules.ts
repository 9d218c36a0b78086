import { NOTE_MAX_LENGTH, PROGRESS_STEP_MAX_LENGTH, type ProgressBody } from '@agent-marketplace/contract'
import { excerptOf } from '../../../platform/outbound/guarded-call.ts'

/** An active task is polled often, a quiet one less and less. */
const LOOK_DELAYS_SECONDS = [2, 2, 3, 5, 5, 10, 10, 20, 30] as const
const LONGEST_LOOK_DELAY_SECONDS = 60

export const lookDelayAfter = (quietLooks: number): number =>
  LOOK_DELAYS_SECONDS[quietLooks] ?? LONGEST_LOOK_DELAY_SECONDS

/** What an agent says while it works. What is longer than a step is its note. */
export function reportOf(text: string): ProgressBody {
  const line = excerptOf(text, text.length)
  if (line.length <= PROGRESS_STEP_MAX_LENGTH) return { step: line === '' ? 'Working' : line }
  const step = `${line.slice(0, PROGRESS_STEP_MAX_LENGTH - 1).toWellFormed()}…`
  return { step, note: text.slice(0, NOTE_MAX_LENGTH).toWellFormed() }
}
