import type { ListedJob } from '@agent-marketplace/contract'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useDismissal } from '../../../components/status/useDismissal.ts'
import { balanceQuery } from '../../../data/account/balance.ts'
import { jobQuery } from '../../../data/jobs/jobs.ts'
import { useConfig } from '../../../data/platform/config.ts'
import { useClient, useOwner } from '../../../session/SessionProvider.tsx'
import { type BuyerFacts, isOnTheWay, JOBS_OF_A_NEWCOMER } from './buyer-steps.ts'

export interface BuyerStart {
  isPending: boolean
  /** Undefined where there is nothing left to show. */
  facts: BuyerFacts | undefined
  /** Work that can be reviewed. */
  unreviewedJobId: string | undefined
  dismiss: () => void
}

/** How far a buyer has come on the way to the first review. For a buyer who knows the way nothing is read. */
export function useBuyerStart(jobs: readonly ListedJob[] | undefined): BuyerStart {
  const client = useClient()
  const config = useConfig()
  const { id, walletAddress } = useOwner()
  const [isDismissed, dismiss] = useDismissal('buyer-steps', id)
  const newcomersJobs = jobs && jobs.length < JOBS_OF_A_NEWCOMER && !isDismissed ? jobs : undefined
  const completed = newcomersJobs?.filter(({ status }) => status === 'COMPLETED') ?? []
  const details = useQueries({ queries: completed.map((job) => jobQuery(client, job.id)) })
  const balance = useQuery({
    ...balanceQuery(config, walletAddress ?? undefined),
    enabled: newcomersJobs !== undefined && config !== undefined && walletAddress !== null,
  })
  if (newcomersJobs === undefined)
    return { isPending: false, facts: undefined, unreviewedJobId: undefined, dismiss }
  const facts = {
    balanceMicro: balance.data,
    jobs: newcomersJobs,
    hasReviewed: details.some(({ data }) => data !== undefined && data.review !== null),
  }
  return {
    isPending: (walletAddress !== null && balance.isPending) || details.some(({ isPending }) => isPending),
    facts: isOnTheWay(facts) ? facts : undefined,
    unreviewedJobId: completed[0]?.id,
    dismiss,
  }
}
