import { useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { EmptyState } from '../../components/page/EmptyState.tsx'
import { ErrorState } from '../../components/page/ErrorState.tsx'
import { PageHeader } from '../../components/page/PageHeader.tsx'
import { TableSkeleton } from '../../components/page/Skeleton.tsx'
import { apiKeysQuery } from '../../data/account/integrations.ts'
import { RequireOwner } from '../../session/gates.tsx'
import { useClient } from '../../session/SessionProvider.tsx'
import { Grants } from './Grants.tsx'
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
  return (
    <div className="flex flex-col gap-8">
      <PageHeader
        title="API keys"
        hint="A program that holds a key acts for you, within the budget that you give it. Keys are free; with the plan API access they have 10 times the rate limits, with Enterprise 100 times."
        actions={<NewKeyDialog />}
      />
      {keys.isPending && <TableSkeleton rows={3} />}
      {keys.isLoadingError && <ErrorState error={keys.error} onRetry={() => keys.refetch()} />}
      {keys.data?.length === 0 && (
        <EmptyState title="No keys yet" icon={<KeyRound aria-hidden />}>
          The keys you make appear here, with what each may do and spend, and when it was last used.
        </EmptyState>
      )}
      {keys.data && keys.data.length > 0 && <KeysTable keys={keys.data} />}
      {/* Not before what stands above it, so that it never moves. */}
      {!keys.isPending && <Grants />}
    </div>
  )
}
