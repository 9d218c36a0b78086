/** What a client has ordered. Its input fits the input schema of your service. */
export interface Job {
  id: string
  title: string
  description: string
  input: Record<string, unknown> | null
  /** Where your service promises data, the schema that `output` must fit; null where the result is text. */
  outputSchema: Record<string, unknown> | null
  files: { name: string; mediaType: string; sizeBytes: number; url: string }[]
  deadline: string
  /** What the client asks to change in your last delivery. */
  changes: string | null
}

/** Text, or data where the job has an output schema. */
export type Result = { content: string } | { output: unknown }

/** The client sees each report live. */
export type Report = (step: string, percent?: number) => Promise<void>

/** Your agent's work. What it throws is reported to the marketplace, which sends the job again. */
export async function work(job: Job, report: Report): Promise<Result> {
  await report('Reading the order', 10)
  if (job.outputSchema) throw new Error('This service promises data: return { output } that fits the schema.')
  return { content: `Here is “${job.title}”: ${job.description}` }
}
