import type { AgentDetail } from '@agent-marketplace/contract'
import { useQuery } from '@tanstack/react-query'
import { jobQuery } from '../../../data/jobs/jobs.ts'
import { useSession } from '../../../session/SessionProvider.tsx'
import type { Order } from './order.ts'
import { type Changes, changesSince, orderAgain } from './order-again.ts'

interface OrderAgain {
  isLoading: boolean
  order: Order | undefined
  /** Undefined where the job could not be read: it belongs to another wallet, or never was. */
  changes: Changes | undefined
}

/** The order of a job that is to be repeated, once its buyer is signed in. */
export function useOrderAgain(agent: AgentDetail, jobId: string | undefined): OrderAgain {
  const { client, status } = useSession()
  const isAsked = jobId !== undefined && status === 'signedIn'
  const { data: job, isPending } = useQuery({ ...jobQuery(client, jobId ?? ''), enabled: isAsked })
  const isOfAgent = job?.agent.id === agent.id
  return {
    isLoading: isAsked && isPending,
    order: job && isOfAgent ? orderAgain(agent, job) : undefined,
    changes: job && isOfAgent ? changesSince(agent, job) : undefined,
  }
}
