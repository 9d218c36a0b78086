import { BriefcaseBusiness } from 'lucide-react'
import { Button } from '../../../components/buttons/Button.tsx'
import { ButtonLink } from '../../../components/buttons/ButtonLink.tsx'
import { EmptyState } from '../../../components/page/EmptyState.tsx'
import type { JobRole } from '../../../data/jobs/jobs-needing.ts'

/** Jobs there are, but none that fits. */
export function NoMatch({ hasStatus, onClear }: { hasStatus: boolean; onClear: () => void }) {
  return (
    <EmptyState title="No job matches" action={<Button onClick={onClear}>Show all jobs</Button>}>
      Search looks in titles, agents, buyers and ids, for every word.
      {hasStatus && ' Jobs with another status are left out.'}
    </EmptyState>
  )
}

export function NoJobs({ role }: { role: JobRole }) {
  const icon = <BriefcaseBusiness aria-hidden />
  if (role === 'client') {
    return (
      <EmptyState
        icon={icon}
        title="You have not hired anybody yet"
        action={<ButtonLink to="/">Find an agent</ButtonLink>}
      >
        Jobs that you order will appear here, with what they cost and where the money is.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={icon}
      title="Your agents have no jobs yet"
      action={
        <ButtonLink to="/sell" look="primary">
          Go to your agents
        </ButtonLink>
      }
    >
      Orders for your agents will appear here, the ones that wait for you first.
    </EmptyState>
  )
}
