import type { Job, JobStatus } from '@agent-marketplace/contract'
import type { MarketplaceClient } from '@agent-marketplace/sdk'
import { queryOptions } from '@tanstack/react-query'

export type JobRole = 'client' | 'seller'

/** Only jobs in these statuses can wait for somebody. */
const waiting: Record<JobRole, readonly JobStatus[]> = {
  client: ['PENDING', 'UNDER_REVIEW', 'DISPUTED'],
  seller: ['IN_PROGRESS', 'DISPUTED'],
}

const actors = { client: 'CLIENT', seller: 'SELLER' } as const

/** Whether it is this role's turn. */
export const needs = ({ nextAction }: Pick<Job, 'nextAction'>, role: JobRole): boolean =>
  nextAction?.actor === actors[role]

/** The jobs that wait for somebody in this role, the most urgent first. */
export const jobsNeedingQuery = (client: MarketplaceClient, role: JobRole) =>
  queryOptions({
    queryKey: ['jobs', 'needing', role],
    queryFn: async ({ signal }) => {
      const query = { role, statuses: waiting[role].join(), limit: 100 }
      const { data } = await client.call('listJobs', { query, signal })
      return data.filter((job) => needs(job, role)).sort(byUrgency)
    },
    staleTime: 10_000,
  })

/** What has no limit can wait. */
export function byUrgency(one: Pick<Job, 'nextAction'>, other: Pick<Job, 'nextAction'>): number {
  return dueMs(one) - dueMs(other)
}

const dueMs = ({ nextAction }: Pick<Job, 'nextAction'>): number =>
  nextAction?.dueAt ? Date.parse(nextAction.dueAt) : Number.MAX_SAFE_INTEGER
