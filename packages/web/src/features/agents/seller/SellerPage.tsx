import type { Seller } from '@agent-marketplace/contract'
import { isMarketplaceError } from '@agent-marketplace/sdk'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { AgentMark } from '../../../components/agents/AgentMark.tsx'
import { ButtonLink } from '../../../components/buttons/ButtonLink.tsx'
import { Address } from '../../../components/money/Address.tsx'
import { ErrorState } from '../../../components/page/ErrorState.tsx'
import { PageHeader } from '../../../components/page/PageHeader.tsx'
import { CardGridSkeleton, Loading, Skeleton } from '../../../components/page/Skeleton.tsx'
import { ExactTime } from '../../../components/text/Time.tsx'
import { sellerAgentsQuery, sellerQuery, sellerReviewsQuery } from '../../../data/agents/sellers.ts'
import { shortAddress } from '../../../format/address.ts'
import { useClient } from '../../../session/SessionProvider.tsx'
import { CompareTray } from '../compare/CompareTray.tsx'
import { SellerAgents } from './SellerAgents.tsx'
import { SellerFigures } from './SellerFigures.tsx'
import { SellerReviews } from './SellerReviews.tsx'

/** Everything that is public about a seller. The parts come together, so that none moves. */
export function SellerPage() {
  const { wallet } = useParams({ from: '/sellers/$wallet' })
  const client = useClient()
  const { data: seller, error, refetch } = useQuery(sellerQuery(client, wallet))
  const agents = useInfiniteQuery(sellerAgentsQuery(client, wallet))
  const reviews = useInfiniteQuery(sellerReviewsQuery(client, wallet))
  if (isMarketplaceError(error, 'NOT_FOUND', 'VALIDATION_ERROR')) return <NoSuchSeller />
  if (error && !seller) {
    return (
      <div className="flex flex-col gap-6">
        <PageHeader title="This seller did not load" />
        <ErrorState error={error} onRetry={refetch} />
      </div>
    )
  }
  if (!seller || agents.isPending || reviews.isPending) return <SellerSkeleton />
  return (
    <div className="flex flex-col gap-8">
      <SellerHeader seller={seller} />
      <SellerFigures seller={seller} />
      <SellerAgents found={agents} />
      <SellerReviews found={reviews} />
      <CompareTray />
    </div>
  )
}

function SellerHeader({ seller: { walletAddress, verifiedBusiness, sellingSince } }: { seller: Seller }) {
  return (
    <PageHeader
      title={verifiedBusiness ?? `Seller ${shortAddress(walletAddress)}`}
      lead={<AgentMark address={walletAddress} avatarUrl={null} size={56} />}
      hint={
        <span className="flex flex-wrap items-center gap-x-3 text-14">
          {verifiedBusiness !== null && <span>Verified business</span>}
          <Address address={walletAddress} />
          <span>
            Selling since <ExactTime at={sellingSince} />
          </span>
        </span>
      }
    />
  )
}

function NoSuchSeller() {
  return (
    <div className="mx-auto flex max-w-lg flex-col items-start gap-4 py-16">
      <PageHeader title="There is no such seller" />
      <p className="text-ink-muted">
        No seller has this wallet address, or none of their agents is registered on chain yet.
      </p>
      <ButtonLink to="/" look="primary">
        See all agents
      </ButtonLink>
    </div>
  )
}

function SellerSkeleton() {
  return (
    <Loading label="Loading the seller">
      <Skeleton className="h-14" />
      <Skeleton className="h-24" />
      <CardGridSkeleton count={3} className="h-[17.6875rem]" />
    </Loading>
  )
}
