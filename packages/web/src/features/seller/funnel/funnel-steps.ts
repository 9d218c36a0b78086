import type { FunnelOfAgent } from '@agent-marketplace/contract'
import { percentText } from '../../../format/share.ts'

export type FunnelTotal = Omit<FunnelOfAgent, 'agentId' | 'name' | 'walletAddress'>

interface FunnelStep {
  key: keyof FunnelTotal
  word: string
  /** What a share of it is a share of. */
  ofWord: string
}

/** In the order of a hire. */
export const funnelSteps: readonly FunnelStep[] = [
  { key: 'views', word: 'Profile views', ofWord: 'views' },
  { key: 'hireForms', word: 'Hire form opened', ofWord: 'opened forms' },
  { key: 'jobs', word: 'Jobs created', ofWord: 'jobs' },
  { key: 'paidJobs', word: 'Paid', ofWord: 'paid jobs' },
  { key: 'completedJobs', word: 'Completed', ofWord: 'completed jobs' },
]

/** "25% of views"; undefined for the first step, and where the step before has nothing, or less. */
export function shareOfStep(total: FunnelTotal, index: number): string | undefined {
  const [step, before] = [funnelSteps[index], funnelSteps[index - 1]]
  if (!step || !before || total[step.key] > total[before.key]) return undefined
  const percent = percentText(total[step.key], total[before.key])
  return percent && `${percent} of ${before.ofWord}`
}
