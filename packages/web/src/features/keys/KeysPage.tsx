import { flatPlanPricesMicro } from '@agent-marketplace/contract'
import { useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { ButtonLink } from '../../components/ButtonLink.tsx'
import { Card } from '../../components/Card.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { ErrorState } from '../../components/ErrorState.tsx'
import { Money } from '../../components/Money.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { PageSkeleton, TableSkeleton } from '../../components/Skeleton.tsx'
import { apiKeysQuery } from '../../data/account/integrations.ts'
import { subscriptionQuery } from '../../data/account/owner.ts'
import { useNowMs } from '../../data/platform/clock.ts'
import { planWords } from '../../format/plan-words.ts'
import { RequireOwner } from '../../session/gates.tsx'
import { useClient } from '../../session/SessionProvider.tsx'
import { KeysTable } from './KeysTable.tsx'
import { NewKeyDialog } from './NewKeyDialog.tsx'

export function KeysPage() {
  return (
    <RequireOwner what="your API keys">
      <Keys />
    </RequireOwner>
  )
}

function Keys() {
  const client = useClient()
  const keys = useQuery(apiKeysQuery(client))
  const hasAccess = useApiAccess()
  // Whether there is a button in the header decides how tall it is: the page appears once that is known.
  if (hasAccess === undefined) return <PageSkeleton />
  return (
    <div className="flex flex-col gap-8">
      <PageHeader
        title="API keys"
        hint="A program that holds a key acts for you, with 10 times your rate limits, or 100 times with Enterprise."
        actions={hasAccess && <NewKeyDialog />}
      />
      {hasAccess === false && <NoAccess />}
      {keys.isPending && <TableSkeleton rows={3} />}
      {keys.isLoadingError && <ErrorState error={keys.error} onRetry={() => keys.refetch()} />}
      {keys.data?.length === 0 && hasAccess && (
        <EmptyState title="No keys yet" icon={<KeyRound aria-hidden />}>
          The keys you make appear here, with what each may do and when it was last used.
        </EmptyState>
      )}
      {keys.data && keys.data.length > 0 && <KeysTable keys={keys.data} />}
    </div>
  )
}

/** Undefined until it is known. What was cancelled lasts until the end of what was paid. */
function useApiAccess(): boolean | undefined {
  const client = useClient()
  const nowMs = useNowMs(60_000)
  const plans = [
    useQuery(subscriptionQuery(client, 'API_ACCESS')),
    useQuery(subscriptionQuery(client, 'ENTERPRISE')),
  ]
  // Where the plans cannot be read, the service itself says whether a key can be made.
  if (plans.some(({ isError }) => isError)) return true
  if (plans.some(({ data }) => data === undefined)) return undefined
  return plans.some(({ data }) => {
    if (!data?.currentPeriodEnd || data.status === 'TRIALING') return false
    return data.status !== 'CANCELED' || Date.parse(data.currentPeriodEnd) > nowMs
  })
}

function NoAccess() {
  return (
    <Card className="flex max-w-xl flex-col gap-4">
      <div>
        <h2 className="font-semibold">API keys need the plan {planWords.API_ACCESS.name}</h2>
        <p className="text-14 text-ink-muted">
          {planWords.API_ACCESS.what} <Money micro={flatPlanPricesMicro.API_ACCESS} /> every 30 days. Without
          it, a program can sign in with a wallet.
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <ButtonLink to="/sell/plans" look="primary">
          See the plan
        </ButtonLink>
        <ButtonLink to="/pricing" look="quiet">
          All prices
        </ButtonLink>
      </div>
    </Card>
  )
}
