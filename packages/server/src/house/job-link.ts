/** The page of a job, as a path of this site: what notices about it link to, and by which those who wait for it are woken. */
export const jobLinkOf = (jobId: string): string => `/jobs/${jobId}`
