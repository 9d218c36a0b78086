import type { MarketplaceClient } from '@agent-marketplace/sdk'
import type { Context } from '../command.ts'
import { CommandError } from '../exit-codes.ts'
import { drawResult } from './draw-job.ts'
import { followJob } from './follow.ts'

/** Follows a job to its delivery and prints that. Stopping loses nothing: the agent works on. */
export async function showOutcome(
  { terminal, show }: Context,
  marketplace: MarketplaceClient,
  jobId: string,
): Promise<void> {
  const { signal } = terminal
  try {
    const job = await followJob(marketplace, jobId, terminal.note, signal)
    show(job, () => drawResult(job, terminal.isScreen))
    if (job.status === 'CANCELLED') throw new CommandError('failed', 'The job was cancelled.')
    if (job.status === 'UNDER_REVIEW')
      terminal.note('Review the work: approve it, or ask for changes, on the page of the job.')
  } catch (error) {
    if (signal.aborted) terminal.note(`The job goes on. To follow it: agent-marketplace watch ${jobId}`)
    throw error
  }
}
