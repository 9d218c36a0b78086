import type { JobSort, JobStatus } from '@agent-marketplace/contract'
import { statusWords } from '../../../components/status/status-words.ts'

const isStatus = (value: string): value is JobStatus => Object.hasOwn(statusWords.job, value)

/** The statuses to filter by, in the order of a job's life. */
export const statusChoices = Object.keys(statusWords.job)
  .filter(isStatus)
  .map((status) => ({ status, word: statusWords.job[status][1] }))

/** An old or mistyped address shows all jobs. */
export function parseStatus(value: string | undefined): JobStatus | undefined {
  return value !== undefined && isStatus(value) ? value : undefined
}

/** The orders of the list, the usual one first. */
export const sortWords: Record<JobSort, string> = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  highest: 'Highest amount',
  lowest: 'Lowest amount',
  deadline: 'Nearest deadline',
  status: 'Status',
}

/** An order that there is not is the usual one. */
export const parseSort = (value: string | undefined): JobSort =>
  value !== undefined && Object.hasOwn(sortWords, value) ? (value as JobSort) : 'newest'
