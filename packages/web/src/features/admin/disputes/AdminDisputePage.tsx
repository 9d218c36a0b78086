import type { AdminDispute } from '@agent-marketplace/contract'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { ButtonLink } from '../../../components/buttons/ButtonLink.tsx'
import { Money } from '../../../components/money/Money.tsx'
import { Card, Fact, Section } from '../../../components/page/Card.tsx'
import { ErrorState } from '../../../components/page/ErrorState.tsx'
import { PageHeader } from '../../../components/page/PageHeader.tsx'
import { PageSkeleton } from '../../../components/page/Skeleton.tsx'
import { StatusBadge } from '../../../components/status/StatusBadge.tsx'
import { StoredFile } from '../../../components/text/StoredFile.tsx'
import { Countdown, TimeAgo } from '../../../components/text/Time.tsx'
import { disputeQuery } from '../../../data/admin.ts'
import { type DisputeStatement, statementsOf } from '../../../data/jobs/dispute-statements.ts'
import { useClient } from '../../../session/SessionProvider.tsx'
import { endWithoutProposal, outcomeOf } from './outcome-words.ts'
import { ProposalCard } from './ProposalCard.tsx'
import { RulingForm } from './RulingForm.tsx'

const parties = { CLIENT: 'The buyer', SELLER: 'The seller' } as const

/** One dispute: what both sides say, and the multisig's ruling from proposal to execution. */
export function AdminDisputePage() {
  const { jobId } = useParams({ from: '/admin/disputes/$jobId' })
  const query = useQuery(disputeQuery(useClient(), jobId))
  if (query.data) return <Loaded {...query.data} />
  if (query.isError)
    return (
      <div className="flex flex-col gap-6">
        <PageHeader title="Dispute" />
        <ErrorState error={query.error} onRetry={() => query.refetch()} />
      </div>
    )
  return <PageSkeleton />
}

function Loaded(row: AdminDispute) {
  const { job, dispute, proposal } = row
  const outcome = outcomeOf(row)
  const isOpen = job.status === 'DISPUTED'
  return (
    <div className="flex flex-col gap-8">
      <PageHeader
        title={job.title}
        tabTitle="Dispute"
        hint={`Opened by ${parties[dispute.openedBy].toLowerCase()}`}
        actions={
          <ButtonLink to="/jobs/$jobId" params={{ jobId: job.id }}>
            See the whole job
          </ButtonLink>
        }
      />
      <Card>
        <dl className="flex flex-wrap gap-x-8 gap-y-4">
          <Fact label="Job">
            <StatusBadge kind="job" status={job.status} />
          </Fact>
          <Fact label={isOpen ? 'Held' : 'Price'}>
            <Money micro={job.agreedPrice} />
          </Fact>
          <Fact label="Opened">
            <TimeAgo at={dispute.openedAt} />
          </Fact>
          {isOpen && (
            <Fact label="Refunds automatically in">
              <Countdown until={dispute.undecidedAt} over="now" />
            </Fact>
          )}
          {isOpen && dispute.settlement && (
            <Fact label="Current offer">
              {dispute.settlement.sellerBps / 100}% to the seller, by{' '}
              {parties[dispute.settlement.proposedBy].toLowerCase()}
            </Fact>
          )}
          {outcome && <Fact label={outcome.how}>{outcome.share}</Fact>}
        </dl>
      </Card>
      <div className="grid items-start gap-8 lg:grid-cols-2">
        <Section title="What they say">
          <ol className="flex flex-col gap-3">
            {statementsOf(dispute).map((one) => (
              <Statement key={one.createdAt + one.reason} {...one} />
            ))}
          </ol>
        </Section>
        <Section title="Ruling" hint="The service proposes; only the multisig decides.">
          {proposal && <ProposalCard jobId={job.id} proposal={proposal} />}
          {isOpen && <RulingForm job={job} hasProposal={proposal !== null} />}
          {!proposal && !isOpen && <p className="text-14 text-ink-muted">{endWithoutProposal(row)}</p>}
        </Section>
      </div>
    </div>
  )
}

function Statement({ by, reason, uris, createdAt }: DisputeStatement) {
  return (
    <li>
      <Card className="flex flex-col gap-2">
        <p className="flex justify-between gap-4 text-14">
          <span className="font-medium">{parties[by]}</span>
          <TimeAgo at={createdAt} className="text-ink-muted" />
        </p>
        <p className="wrap-anywhere whitespace-pre-line">{reason}</p>
        {uris.map((uri, index) => (
          <StoredFile key={uri} uri={uri} label={`Evidence ${index + 1}`} />
        ))}
      </Card>
    </li>
  )
}
