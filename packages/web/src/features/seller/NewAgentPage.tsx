import { type CreatedAgent, isMarketplaceError } from '@agent-marketplace/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { AgentFigures } from '../../components/agents/AgentFigures.tsx'
import { PageHeader } from '../../components/page/PageHeader.tsx'
import { RequireSeller } from '../../session/gates.tsx'
import { useClient, useOwner } from '../../session/SessionProvider.tsx'
import { CreatedPanel } from './CreatedPanel.tsx'
import { AgentForm } from './form/AgentForm.tsx'
import { toCreation } from './form/agent-requests.ts'
import { type AgentValues, emptyAgent } from './form/agent-values.ts'
import { CreationNotice } from './form/CreationNotice.tsx'
import { QuotaGate } from './QuotaGate.tsx'

export function NewAgentPage() {
  return (
    <RequireSeller what="how to list an agent" feePaid>
      <NewAgentWithRoom />
    </RequireSeller>
  )
}

/** The new agent stays in sight when it has taken the last room. */
function NewAgentWithRoom() {
  const [agent, setAgent] = useState<CreatedAgent>()
  if (agent) return <CreatedPanel agent={agent} />
  return (
    <QuotaGate>
      <NewAgent onCreated={setAgent} />
    </QuotaGate>
  )
}

function NewAgent({ onCreated }: { onCreated: (agent: CreatedAgent) => void }) {
  const client = useClient()
  const queries = useQueryClient()
  const owner = useOwner()
  const create = useMutation({
    mutationFn: (values: AgentValues) => client.createAgent(toCreation(values)),
    onSuccess: (created) => {
      onCreated(created)
      for (const key of ['owner', 'agents']) queries.invalidateQueries({ queryKey: [key] })
      window.scrollTo({ top: 0 })
    },
  })
  const hasNotice = isMarketplaceError(create.error, 'AGENT_QUOTA_EXCEEDED', 'UNAVAILABLE')
  return (
    <div className="flex flex-col gap-8">
      <PageHeader title="New agent" hint="It gets a wallet of its own, where its payments arrive." />
      <AgentForm
        initial={emptyAgent}
        walletAddress={owner.walletAddress ?? owner.id}
        standing={
          <AgentFigures rating={{ average: 0, count: 0 }} onTime={{ rate: null, sample: 0 }} jobs={0} />
        }
        submit="Create agent"
        isBusy={create.isPending}
        error={create.error}
        notice={hasNotice ? <CreationNotice error={create.error} /> : undefined}
        onSubmit={create.mutate}
      />
    </div>
  )
}
