const JOB_PAGES = '/jobs/'

/** The path of a job's page: what notices about the job link to, and what callers that wait for it watch. */
export const jobPageOf = (jobId: string): string => `${JOB_PAGES}${jobId}`

/** The job whose page, or a page below it, has this path; undefined for other paths. */
export function jobOfPage(path: string): string | undefined {
  if (!path.startsWith(JOB_PAGES)) return undefined
  return path.slice(JOB_PAGES.length).split(/[/?#]/, 1)[0] || undefined
}
