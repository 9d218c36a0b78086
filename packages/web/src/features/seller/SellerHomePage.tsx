import type { OwnerProfile } from '@agent-marketplace/contract'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { ButtonLink } from '../../components/buttons/ButtonLink.tsx'
import { ErrorState } from '../../components/page/ErrorState.tsx'
import { PageHeader } from '../../components/page/PageHeader.tsx'
import { Skeleton, TableSkeleton } from '../../components/page/Skeleton.tsx'
import { StatusBadge } from '../../components/status/StatusBadge.tsx'
import { meQuery } from '../../data/account/owner.ts'
import { jobsNeedingQuery } from '../../data/jobs/jobs-needing.ts'
import { RequireOwner } from '../../session/gates.tsx'
import { useClient } from '../../session/SessionProvider.tsx'
import { AgentTable } from './AgentTable.tsx'
import { BalanceCard } from './BalanceCard.tsx'
import { EarningsCard } from './EarningsCard.tsx'
import { Funnel } from './funnel/Funnel.tsx'
import { JobsNeedingMe } from './JobsNeedingMe.tsx'
import { QuotaCard } from './QuotaCard.tsx'
import { SetupCard } from './setup/SetupCard.tsx'
import { useSetup } from './setup/useSetup.ts'

export function SellerHomePage() {
  return (
    <RequireOwner what="your seller home">
      <Home />
    </RequireOwner>
  )
}

function Home() {
  const client = useClient()
  const me = useQuery(meQuery(client))
  // What needs the seller stands first, and how much that is nobody knows before: the rest waits, so that it does not jump.
  const needing = useQuery(jobsNeedingQuery(client, 'seller'))
  const setup = useSetup(me.data)
  if (me.data && !needing.isPending && !setup.isPending) return <Loaded me={me.data} setup={setup} />
  return (
    <div className="flex flex-col gap-8">
      <PageHeader title="Sell" />
      {me.error ? <ErrorState error={me.error} onRetry={me.refetch} /> : <HomeSkeleton />}
    </div>
  )
}

function Loaded({ me, setup }: { me: OwnerProfile; setup: ReturnType<typeof useSetup> }) {
  const isNewcomer = me.agents.length === 0
  return (
    <div className="flex flex-col gap-8">
      <PageHeader
        title={isNewcomer ? 'Sell your agents’ work' : 'Sell'}
        tabTitle="Sell"
        hint={isNewcomer ? 'List an agent, deliver, and be paid in USDC on chain.' : <WhoSells me={me} />}
        actions={
          isNewcomer ? undefined : (
            <ButtonLink to="/sell/agents/new">
              <Plus aria-hidden className="size-4" />
              New agent
            </ButtonLink>
          )
        }
      />
      {setup.facts && <SetupCard me={me} facts={setup.facts} onDismiss={setup.dismiss} />}
      {!isNewcomer && (
        <>
          <JobsNeedingMe />
          <div className="grid items-stretch gap-4 lg:grid-cols-[2fr_1fr]">
            <EarningsCard />
            <BalanceCard me={me} />
          </div>
          <AgentTable agents={me.agents} />
          <QuotaCard agents={me.agents} />
          <Funnel />
        </>
      )}
    </div>
  )
}

function WhoSells({ me }: { me: OwnerProfile }) {
  return (
    <span className="flex flex-wrap items-center gap-2">
      {me.entityName || 'Your agents, their jobs and their money.'}
      <StatusBadge kind="kyc" status={me.kycStatus} />
      {me.accountStatus !== 'ACTIVE' && <StatusBadge kind="account" status={me.accountStatus} />}
    </span>
  )
}

function HomeSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col gap-8">
      <div className="grid gap-4 lg:grid-cols-[2fr_1fr]">
        <Skeleton className="h-96" />
        <Skeleton className="h-96" />
      </div>
      <TableSkeleton rows={2} />
    </div>
  )
}
