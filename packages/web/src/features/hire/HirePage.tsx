import type { AgentDetail } from '@agent-marketplace/contract'
import { isMarketplaceError } from '@agent-marketplace/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { AgentMark } from '../../components/agents/AgentMark.tsx'
import { ButtonLink } from '../../components/buttons/ButtonLink.tsx'
import { EmptyState } from '../../components/page/EmptyState.tsx'
import { ErrorState } from '../../components/page/ErrorState.tsx'
import { PageHeader } from '../../components/page/PageHeader.tsx'
import { focusHeading } from '../../components/page/page-heading.ts'
import { Loading, Skeleton } from '../../components/page/Skeleton.tsx'
import { agentQuery } from '../../data/agents/agents.ts'
import { whyNotHireable } from '../../data/agents/hireable.ts'
import { useRecordView } from '../../data/agents/record-view.ts'
import { useClient, useSession } from '../../session/SessionProvider.tsx'
import { AgainNotice, DraftNotice } from './AgainNotice.tsx'
import { HireGate } from './HireGate.tsx'
import { OrderForm } from './order/OrderForm.tsx'
import { OrderReview } from './order/OrderReview.tsx'
import { isStarted, isWhole, startOrder } from './order/order.ts'
import { readOrder } from './order/order-storage.ts'
import { useOrderAgain } from './order/useOrderAgain.ts'

export function HirePage() {
  const { wallet } = useParams({ from: '/agents/$wallet/hire' })
  const { data: agent, error, refetch } = useQuery(agentQuery(useClient(), wallet))
  const session = useSession()
  const ownerId = session.status === 'signedIn' ? session.owner.id : undefined
  if (agent) return <HireOne key={ownerId} agent={agent} ownerId={ownerId} />
  if (!error) return <HireSkeleton />
  const isUnknown = isMarketplaceError(error, 'NOT_FOUND', 'VALIDATION_ERROR')
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title={isUnknown ? 'There is no such agent' : 'This agent did not load'} />
      {isUnknown ? (
        <EmptyState
          title="No agent has this wallet address"
          action={<ButtonLink to="/">See all agents</ButtonLink>}
        >
          The link may be old or cut short.
        </EmptyState>
      ) : (
        <ErrorState error={error} onRetry={refetch} />
      )}
    </div>
  )
}

/** One for each owner: what one of them has begun is not the next one's. */
function HireOne({ agent, ownerId }: { agent: AgentDetail; ownerId: string | undefined }) {
  const { service, step, again } = useSearch({ from: '/agents/$wallet/hire' })
  const { walletAddress, name, avatarUrl } = agent
  const session = useSession()
  const obstacle = whyNotHireable(agent)
  useRecordView(walletAddress, 'HIRE_FORM', obstacle === undefined)
  const kept = ownerId === undefined ? undefined : readOrder(ownerId, walletAddress)
  const repeated = useOrderAgain(agent, again)
  // What was being written when somebody asked for the order of before goes only when they say so.
  const [replacedFor, setReplacedFor] = useState<string>()
  const isTakenUp = kept?.againOf === again || replacedFor === again
  const [isDraft] = useState(kept !== undefined && isStarted(kept) && !isTakenUp)
  const isKeeping = isDraft && replacedFor !== again
  const isReview = step === 'review' && kept !== undefined && isWhole(agent, kept)
  useFocusOnNextStep(isReview)
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-col gap-1">
        <Link
          to="/agents/$wallet"
          params={{ wallet: walletAddress }}
          className="-ml-1 flex min-h-11 items-center gap-1 self-start text-14 text-ink-muted hover:text-ink"
        >
          <ChevronLeft aria-hidden className="size-4" /> {name}
        </Link>
        <PageHeader
          title={`Hire ${name}`}
          lead={<AgentMark address={walletAddress} avatarUrl={avatarUrl} size={48} />}
          hint={
            obstacle === undefined &&
            session.status !== 'signedOut' && (
              <p role="status" className="text-14">
                {isReview ? 'Step 2 of 2: check it and pay' : 'Step 1 of 2: your order'}
              </p>
            )
          }
        />
      </div>
      {obstacle ? (
        <EmptyState title="No new jobs right now" action={<ButtonLink to="/">See other agents</ButtonLink>}>
          {obstacle}
        </EmptyState>
      ) : session.status === 'restoring' || repeated.isLoading ? (
        <OrderSkeleton />
      ) : session.status === 'signedOut' ? (
        <HireGate agent={agent} order={startOrder(agent, kept, service)} hasEnded={session.hasEnded} />
      ) : isReview ? (
        <OrderReview agent={agent} order={kept} />
      ) : (
        <>
          {again !== undefined &&
            (isKeeping && repeated.order ? (
              <DraftNotice onReplace={() => setReplacedFor(again)} />
            ) : (
              <AgainNotice changes={repeated.changes} />
            ))}
          <OrderForm
            key={replacedFor}
            agent={agent}
            start={
              repeated.order && kept?.againOf !== again && !isKeeping
                ? repeated.order
                : startOrder(agent, kept, service)
            }
          />
        </>
      )}
    </div>
  )
}

/** The button that leads to a step goes away with the step before. */
function useFocusOnNextStep(isReview: boolean): void {
  const wasReview = useRef(isReview)
  useEffect(() => {
    if (wasReview.current !== isReview) focusHeading()
    wasReview.current = isReview
  }, [isReview])
}

function HireSkeleton() {
  return (
    <Loading label="Loading the order form" className="flex flex-col gap-6">
      <div className="flex flex-col gap-1">
        <span className="min-h-11" />
        <Skeleton className="h-14 w-72 max-w-full" />
      </div>
      <OrderSkeleton />
    </Loading>
  )
}

function OrderSkeleton() {
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem] lg:gap-8">
      <Skeleton className="h-[40rem]" />
      <Skeleton className="h-80" />
    </div>
  )
}
