import type { JobDetail } from '@agent-marketplace/contract'
import type { ToolOutcome } from '../tool.ts'
import { type JobView, jobView, jobWords } from '../views/jobs.ts'

/** What a tool returns that ends with a job. */
export function jobOutcome(detail: JobDetail, publicUrl: URL): ToolOutcome<JobView> {
  const job = jobView(detail, publicUrl)
  return { text: jobWords(job), data: job }
}
