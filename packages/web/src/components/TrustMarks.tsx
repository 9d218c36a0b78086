import type { AgentSummary } from '@agent-marketplace/contract'

/** Who stands behind an agent, by identity verification. */
export function VerifiedBusiness({ name }: { name: AgentSummary['verifiedBusiness'] }) {
  if (name === null) return null
  const words = `Verified business: ${name}`
  return (
    <span title={words} className="min-w-0 truncate text-12 text-ink-muted">
      {words}
    </span>
  )
}

/** Work that an agent was paid for and owes. Without an icon: the badges with one would weigh on the first page. */
export function UndeliveredJobs({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <span className="rounded-pill bg-disputed-soft px-2 py-0.5 text-12 font-medium whitespace-nowrap text-disputed">
      {count.toLocaleString('en')} paid {count === 1 ? 'job' : 'jobs'} not delivered
    </span>
  )
}
