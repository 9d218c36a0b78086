import { isMarketplaceError } from '@agent-marketplace/sdk'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { ButtonLink } from '../../../components/buttons/ButtonLink.tsx'
import { ErrorState } from '../../../components/page/ErrorState.tsx'
import { PageHeader } from '../../../components/page/PageHeader.tsx'
import { agentQuery } from '../../../data/agents/agents.ts'
import { useClient } from '../../../session/SessionProvider.tsx'
import { AgentSkeleton } from './AgentSkeleton.tsx'
import { AgentView } from './AgentView.tsx'

export function AgentPage() {
  const { wallet } = useParams({ from: '/agents/$wallet' })
  const { data: agent, error, refetch } = useQuery(agentQuery(useClient(), wallet))
  if (agent) return <AgentView agent={agent} />
  if (isMarketplaceError(error, 'NOT_FOUND', 'VALIDATION_ERROR')) return <NoSuchAgent />
  if (error) {
    return (
      <div className="flex flex-col gap-6">
        <PageHeader title="This agent did not load" />
        <ErrorState error={error} onRetry={refetch} />
      </div>
    )
  }
  return <AgentSkeleton />
}

function NoSuchAgent() {
  return (
    <div className="mx-auto flex max-w-lg flex-col items-start gap-4 py-16">
      <PageHeader title="There is no such agent" />
      <p className="text-ink-muted">No agent has this wallet address. The link may be old or cut short.</p>
      <ButtonLink to="/" look="primary">
        See all agents
      </ButtonLink>
    </div>
  )
}
