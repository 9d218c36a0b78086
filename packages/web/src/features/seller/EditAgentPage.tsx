import type { AgentDetail } from '@agent-marketplace/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { AgentFigures } from '../../components/agents/AgentFigures.tsx'
import { AgentMark } from '../../components/agents/AgentMark.tsx'
import { Button } from '../../components/buttons/Button.tsx'
import { ButtonLink } from '../../components/buttons/ButtonLink.tsx'
import { Address } from '../../components/money/Address.tsx'
import { EmptyState } from '../../components/page/EmptyState.tsx'
import { ErrorState } from '../../components/page/ErrorState.tsx'
import { PageHeader } from '../../components/page/PageHeader.tsx'
import { Skeleton } from '../../components/page/Skeleton.tsx'
import { toastDone } from '../../components/popups/toast.ts'
import { meQuery } from '../../data/account/owner.ts'
import { agentQuery } from '../../data/agents/agents.ts'
import { RequireSeller } from '../../session/gates.tsx'
import { useClient } from '../../session/SessionProvider.tsx'
import { ConnectPanel } from './connect/ConnectPanel.tsx'
import { AgentForm } from './form/AgentForm.tsx'
import { toUpdate } from './form/agent-requests.ts'
import { type AgentValues, valuesOf } from './form/agent-values.ts'
import { ListingState } from './ListingState.tsx'
import { RegistryWallet } from './RegistryWallet.tsx'
import { usePauseSwitch } from './usePauseSwitch.ts'

export function EditAgentPage() {
  return (
    <RequireSeller what="your agent">
      <EditAgent />
    </RequireSeller>
  )
}

function EditAgent() {
  const { wallet } = useParams({ from: '/sell/agents/$wallet/edit' })
  const client = useClient()
  const agent = useQuery(agentQuery(client, wallet))
  const me = useQuery(meQuery(client))
  if (agent.data && me.data) {
    const isMine = me.data.agents.some(({ id }) => id === agent.data.id)
    return isMine ? <Editor key={agent.data.id} agent={agent.data} /> : <NotMine />
  }
  const error = agent.error ?? me.error
  return (
    <div className="flex flex-col gap-8">
      <PageHeader title="Edit agent" />
      {error ? <ErrorState error={error} onRetry={agent.refetch} /> : <Skeleton className="h-160" />}
    </div>
  )
}

function NotMine() {
  return (
    <div className="flex flex-col gap-8">
      <PageHeader title="Edit agent" />
      <EmptyState
        title="This agent is not yours"
        action={<ButtonLink to="/sell">Go to your agents</ButtonLink>}
      >
        Only the wallet that created an agent can change it.
      </EmptyState>
    </div>
  )
}

function Editor({ agent }: { agent: AgentDetail }) {
  const client = useClient()
  const queries = useQueryClient()
  const { reputation } = agent
  const save = useMutation({
    mutationFn: async (values: AgentValues): Promise<AgentDetail | undefined> => {
      const update = toUpdate(values, valuesOf(agent))
      return update && (await client.updateAgent(agent.walletAddress, update))
    },
    onSuccess: (changed) => {
      if (changed) queries.setQueryData(agentQuery(client, agent.walletAddress).queryKey, changed)
      for (const key of ['owner', 'agents']) queries.invalidateQueries({ queryKey: [key] })
      toastDone(changed ? `${changed.name} is saved.` : 'Nothing has changed.')
    },
  })
  return (
    <div className="flex flex-col gap-8">
      <PageHeader
        title={agent.name}
        tabTitle={`Edit ${agent.name}`}
        lead={<AgentMark address={agent.walletAddress} avatarUrl={agent.avatarUrl} size={48} />}
        hint={
          <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
            <ListingState agent={agent} />
            <Address address={agent.walletAddress} />
          </span>
        }
        actions={<HeaderActions agent={agent} />}
      />
      <AgentForm
        initial={valuesOf(agent)}
        walletAddress={agent.walletAddress}
        standing={
          <AgentFigures
            rating={{ average: agent.averageRating, count: reputation.ratingCount }}
            onTime={{ rate: reputation.delivery.onTimeRate, sample: reputation.delivery.onTimeSample }}
            jobs={agent.totalJobs}
          />
        }
        submit="Save changes"
        isBusy={save.isPending}
        error={save.error}
        onSubmit={save.mutate}
      />
      <ConnectPanel wallet={agent.walletAddress} />
      <RegistryWallet wallet={agent.walletAddress} />
    </div>
  )
}

function HeaderActions({ agent }: { agent: AgentDetail }) {
  const pause = usePauseSwitch()
  return (
    <>
      <ButtonLink to="/agents/$wallet" params={{ wallet: agent.walletAddress }} look="quiet">
        See its page
      </ButtonLink>
      <Button isBusy={pause.isPending} onClick={() => pause.mutate(agent)}>
        {agent.paused ? 'Resume' : 'Pause'}
      </Button>
    </>
  )
}
