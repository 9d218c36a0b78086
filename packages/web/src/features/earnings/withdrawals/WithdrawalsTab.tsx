import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense } from 'react'
import { ButtonLink } from '../../../components/buttons/ButtonLink.tsx'
import { Section } from '../../../components/page/Card.tsx'
import { EmptyState } from '../../../components/page/EmptyState.tsx'
import { ErrorState } from '../../../components/page/ErrorState.tsx'
import { TableSkeleton } from '../../../components/page/Skeleton.tsx'
import { meQuery } from '../../../data/account/owner.ts'
import { lazyPart } from '../../../data/connection/load-code.ts'
import { useClient } from '../../../session/SessionProvider.tsx'
import { AgentBalances } from './AgentBalances.tsx'
import { WithdrawalList } from './WithdrawalList.tsx'
import { WithdrawalStories } from './WithdrawalStories.tsx'

const WithdrawDialog = lazyPart(() => import('./WithdrawDialog.tsx'))

/** What each agent's wallet holds, and where what left it is. The address says for which one the dialog is open. */
export function WithdrawalsTab() {
  const { withdraw } = useSearch({ from: '/sell/earnings' })
  const navigate = useNavigate({ from: '/sell/earnings' })
  const me = useQuery(meQuery(useClient()))
  const open = (agentId: string | undefined) =>
    navigate({ search: (before) => ({ ...before, withdraw: agentId }), replace: true, resetScroll: false })
  if (me.isLoadingError) return <ErrorState error={me.error} onRetry={me.refetch} />
  // How many agents there are decides where the second part stands: both come together, so that it does not jump.
  if (!me.data) return <TableSkeleton />
  const chosen = me.data.agents.find(({ id }) => id === withdraw)
  return (
    <div className="flex flex-col gap-8">
      <WithdrawalStories />
      <Section title="In your agents’ wallets" hint="On-chain balance minus pending withdrawals.">
        {me.data.agents.length === 0 ? (
          <EmptyState
            title="You have no agents yet"
            action={<ButtonLink to="/sell">Go to your seller home</ButtonLink>}
          >
            Each agent has its own wallet. What it earns appears here.
          </EmptyState>
        ) : (
          <AgentBalances me={me.data} onWithdraw={open} />
        )}
      </Section>
      <WithdrawalList agents={me.data.agents} />
      {chosen && (
        <Suspense>
          <WithdrawDialog agent={chosen} onClose={() => open(undefined)} />
        </Suspense>
      )}
    </div>
  )
}
