export const percent = (rate: number | null): string => (rate === null ? '–' : `${Math.floor(rate * 100)}%`)

export const jobsBehind = (count: number): string => `of ${count} ${count === 1 ? 'job' : 'jobs'}`
