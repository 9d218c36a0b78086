import { type JobDetail, railOf } from '@agent-marketplace/contract'
import { isMarketplaceError, type MarketplaceClient } from '@agent-marketplace/sdk'
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { toastDone } from '../../../components/popups/toast.ts'
import { jobQuery } from '../../../data/jobs/jobs.ts'
import { useClient } from '../../../session/SessionProvider.tsx'
import type { TxKind } from '../../../transactions/story.ts'
import { useTrackTx } from '../../../transactions/TransactionProvider.tsx'
import { openClaimOf } from '../chain-lag.ts'

const UNCONFIRMED = 'Sent. The chain has not confirmed it yet.'

interface JobMove<Input> {
  job: JobDetail
  /** Makes the call. Returns the job as it is then, where the service says it. */
  call: (client: MarketplaceClient, input: Input) => Promise<JobDetail | undefined>
  /** The message once it is done. */
  done: string
  /** What follows on chain by itself, for escrow jobs. */
  story?: { kind: TxKind; label: string }
  onDone: () => void
}

/** One move of a job: the call, its story on chain, and what has to be read again. */
export function useJobMove<Input = void>({
  job,
  call,
  done,
  story,
  onDone,
}: JobMove<Input>): UseMutationResult<JobDetail | undefined, Error, Input> {
  const client = useClient()
  const queries = useQueryClient()
  const { track } = useTrackTx()
  const readAgain = () => {
    for (const key of ['jobs', 'owner', 'balance']) queries.invalidateQueries({ queryKey: [key] })
  }
  return useMutation({
    mutationFn: (input: Input) => call(client, input),
    onSuccess: (moved) => {
      if (moved) queries.setQueryData(jobQuery(client, job.id).queryKey, moved)
      if (story && railOf(job.paymentMethod).holdsMoney) {
        track({ ...story, jobId: job.id, seenEvents: job.timeline.length })
      }
      toastDone(moved && openClaimOf(moved) ? UNCONFIRMED : done)
      readAgain()
      onDone()
    },
    onError: (error) => {
      if (isMarketplaceError(error, 'INVALID_STATE', 'CONFLICT')) readAgain()
    },
  })
}
