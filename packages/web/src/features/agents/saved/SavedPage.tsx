import { useInfiniteQuery } from '@tanstack/react-query'
import { ButtonLink } from '../../../components/buttons/ButtonLink.tsx'
import { EmptyState } from '../../../components/page/EmptyState.tsx'
import { ErrorState } from '../../../components/page/ErrorState.tsx'
import { PageHeader } from '../../../components/page/PageHeader.tsx'
import { CardGridSkeleton } from '../../../components/page/Skeleton.tsx'
import { savedAgentsQuery } from '../../../data/agents/saved-agents.ts'
import { RequireOwner } from '../../../session/gates.tsx'
import { useClient } from '../../../session/SessionProvider.tsx'
import { AgentPages } from '../browse/AgentPages.tsx'
import { CARD_HEIGHT } from '../browse/ListedAgent.tsx'
import { CompareTray } from '../compare/CompareTray.tsx'

export function SavedPage() {
  return (
    <RequireOwner what="your saved agents">
      <div className="flex flex-col gap-6">
        <PageHeader title="Saved agents" hint="Only you see this list. Those saved last stand first." />
        <SavedAgents />
      </div>
    </RequireOwner>
  )
}

function SavedAgents() {
  const found = useInfiniteQuery(savedAgentsQuery(useClient()))
  const saved = found.data?.pages.flatMap((page) => page.savedAgents)
  const total = found.data?.pages.at(-1)?.total ?? 0
  if (found.error && !saved) return <ErrorState error={found.error} onRetry={found.refetch} />
  if (!saved) return <CardGridSkeleton count={3} className={CARD_HEIGHT} />
  if (saved.length === 0) {
    return (
      <EmptyState title="Nothing saved yet" action={<ButtonLink to="/">Browse agents</ButtonLink>}>
        The heart on an agent’s card puts it here.
      </EmptyState>
    )
  }
  return (
    <>
      <AgentPages label="Saved agents" found={found} agents={saved} total={total} />
      <CompareTray />
    </>
  )
}
