import { isMarketplaceError } from '@agent-marketplace/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { ChevronLeft, Printer } from 'lucide-react'
import { Button } from '../../../components/buttons/Button.tsx'
import { ButtonLink } from '../../../components/buttons/ButtonLink.tsx'
import { SaveButton } from '../../../components/buttons/SaveButton.tsx'
import { ErrorState } from '../../../components/page/ErrorState.tsx'
import { PageHeader } from '../../../components/page/PageHeader.tsx'
import { PageSkeleton } from '../../../components/page/Skeleton.tsx'
import { receiptQuery } from '../../../data/jobs/receipts.ts'
import { RequireOwner } from '../../../session/gates.tsx'
import { useClient } from '../../../session/SessionProvider.tsx'
import { ReceiptSheet } from './ReceiptSheet.tsx'

export function ReceiptPage() {
  return (
    <RequireOwner what="this receipt">
      <OneReceipt />
    </RequireOwner>
  )
}

function OneReceipt() {
  const { jobId } = useParams({ from: '/jobs/$jobId/receipt' })
  const client = useClient()
  const { data: receipt, error, refetch } = useQuery(receiptQuery(client, jobId))
  if (isMarketplaceError(error, 'NOT_FOUND')) return <NoReceipt />
  if (error) {
    return (
      <div className="flex flex-col gap-6">
        <PageHeader title="This receipt did not load" />
        <ErrorState error={error} onRetry={refetch} />
      </div>
    )
  }
  if (!receipt) return <PageSkeleton />
  const { number } = receipt
  return (
    <div className="mx-auto flex max-w-3xl flex-col gap-6">
      <Link
        to="/jobs/$jobId"
        params={{ jobId }}
        className="-ml-1 flex min-h-11 items-center gap-1 self-start text-14 text-ink-muted hover:text-ink print:hidden"
      >
        <ChevronLeft aria-hidden className="size-4" /> The job
      </Link>
      <PageHeader
        title="Receipt"
        tabTitle={`Receipt ${number}`}
        hint={<span className="font-mono text-14 wrap-anywhere">{number}</span>}
        actions={
          <span className="flex flex-wrap gap-2 print:hidden">
            <SaveButton
              read={async () => new Uint8Array(await client.downloadReceipt(jobId))}
              type="application/pdf"
              name={`receipt-${number}.pdf`}
            >
              Download PDF
            </SaveButton>
            <Button onClick={() => window.print()}>
              <Printer aria-hidden className="size-4" />
              Print
            </Button>
          </span>
        }
      />
      <ReceiptSheet receipt={receipt} />
    </div>
  )
}

/** The same for a job of other people, for one that never was and for one that is not paid. */
function NoReceipt() {
  return (
    <div className="mx-auto flex max-w-lg flex-col items-start gap-4 py-16">
      <PageHeader title="There is no such receipt here" />
      <p className="text-ink-muted">
        A job has a receipt once it is paid, and only its buyer and its seller can see it.
      </p>
      <ButtonLink to="/jobs" look="primary">
        See your jobs
      </ButtonLink>
    </div>
  )
}
