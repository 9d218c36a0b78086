import type { getFunnel } from '@agent-marketplace/contract'
import type { ResponseOf } from '../../platform/http/call.ts'
import type { Funnel } from './service.ts'

const stepsOf = ({ views, hireForms, jobs, paidJobs, completedJobs }: Funnel['total']) => ({
  views: Number(views),
  hireForms: Number(hireForms),
  jobs: Number(jobs),
  paidJobs: Number(paidJobs),
  completedJobs: Number(completedJobs),
})

export function presentFunnel({ firstDay, lastDay, total, agents }: Funnel): ResponseOf<typeof getFunnel> {
  return {
    data: {
      startDate: firstDay,
      endDate: lastDay,
      total: stepsOf(total),
      agents: agents.map(({ agentId, name, walletAddress, ...steps }) => ({
        agentId,
        name,
        walletAddress,
        ...stepsOf(steps),
      })),
    },
  }
}
