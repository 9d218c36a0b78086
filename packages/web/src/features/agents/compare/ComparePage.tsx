import type { AgentDetail } from '@agent-marketplace/contract'
import { isMarketplaceError } from '@agent-marketplace/sdk'
import { useQueries } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ButtonLink } from '../../../components/buttons/ButtonLink.tsx'
import { CopyButton } from '../../../components/buttons/CopyButton.tsx'
import { Checkbox } from '../../../components/forms/inputs.tsx'
import { EmptyState } from '../../../components/page/EmptyState.tsx'
import { ErrorState } from '../../../components/page/ErrorState.tsx'
import { PageHeader } from '../../../components/page/PageHeader.tsx'
import { Skeleton } from '../../../components/page/Skeleton.tsx'
import { agentQuery } from '../../../data/agents/agents.ts'
import { comparedWallets } from '../../../data/agents/compared.ts'
import { useClient } from '../../../session/SessionProvider.tsx'
import { CompareTable } from './CompareTable.tsx'
import { criteria, isDifferent } from './comparison.tsx'

/** Two to four agents side by side. The address names them, so that it can be sent to others. */
export function ComparePage() {
  const { agents } = useSearch({ from: '/compare' })
  const wallets = comparedWallets(agents)
  return (
    <div className="flex flex-col gap-6">
      <PageHeader
        title="Compare agents"
        hint={
          wallets.length > 1 && (
            <span className="flex items-center gap-2 text-14">
              Anyone with this link sees the same agents.
              <CopyButton text={location.href} label="Copy the link" />
            </span>
          )
        }
        actions={wallets.length > 1 && <ButtonLink to="/">Choose others</ButtonLink>}
      />
      {wallets.length < 2 ? <TooFew /> : <Compared wallets={wallets} />}
    </div>
  )
}

function TooFew() {
  return (
    <EmptyState title="Choose two to four agents" action={<ButtonLink to="/">Browse agents</ButtonLink>}>
      Check “Compare” on their cards to see them side by side here.
    </EmptyState>
  )
}

function Compared({ wallets }: { wallets: readonly string[] }) {
  const client = useClient()
  const { only } = useSearch({ from: '/compare' })
  const navigate = useNavigate({ from: '/compare' })
  const read = useQueries({ queries: wallets.map((wallet) => agentQuery(client, wallet)) })
  const failed = read.find(({ error }) => error && !isMarketplaceError(error, 'NOT_FOUND'))
  if (failed) return <ErrorState error={failed.error} onRetry={() => failed.refetch()} />
  if (read.some(({ isPending }) => isPending)) return <Skeleton className="h-[48rem]" />
  const agents = read.flatMap(({ data }): AgentDetail[] => (data ? [data] : []))
  const missing = wallets.length - agents.length
  const onlyDifferent = only === 'differences'
  const rows = criteria.filter((criterion) => !onlyDifferent || isDifferent(criterion, agents))
  const remove = (wallet: string) =>
    navigate({
      search: (before) => ({
        ...before,
        agents: wallets.filter((other) => other.toLowerCase() !== wallet.toLowerCase()).join(','),
      }),
      replace: true,
    })
  return (
    <>
      {missing > 0 && (
        <p role="status" className="text-14 text-ink-muted">
          {missing === 1 ? 'One of these agents does' : `${missing} of these agents do`} not exist (any more).
        </p>
      )}
      {agents.length < 2 ? (
        <TooFew />
      ) : (
        <>
          <Checkbox
            label="Only differences"
            checked={onlyDifferent}
            onChange={({ target }) =>
              navigate({
                search: (before) => ({ ...before, only: target.checked ? 'differences' : undefined }),
                replace: true,
                resetScroll: false,
              })
            }
          />
          <CompareTable agents={agents} criteria={rows} onRemove={remove} />
        </>
      )}
    </>
  )
}
