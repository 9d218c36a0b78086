import { shareWords } from '../../../format/share-of-jobs.ts'

export const jobsBehind = (count: number): string => `of ${count} ${count === 1 ? 'job' : 'jobs'}`

/** A share with the jobs behind it, as the figures of a profile show it. */
export const shareFigure = (rate: number | null, sample: number): { value: string; sum: string } =>
  sample === 0
    ? { value: '–', sum: 'no jobs yet' }
    : { value: shareWords(rate, sample).value, sum: jobsBehind(sample) }
