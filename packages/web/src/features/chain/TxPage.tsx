import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { ButtonLink } from '../../components/buttons/ButtonLink.tsx'
import { CopyButton } from '../../components/buttons/CopyButton.tsx'
import { Card } from '../../components/page/Card.tsx'
import { ErrorState } from '../../components/page/ErrorState.tsx'
import { PageHeader } from '../../components/page/PageHeader.tsx'
import { TextSkeleton } from '../../components/page/Skeleton.tsx'
import { useConfig } from '../../data/platform/config.ts'
import { useTransactions } from '../../transactions/TransactionProvider.tsx'
import { TxFacts } from './TxFacts.tsx'
import { TxSentences } from './TxSentences.tsx'
import { transactionQuery } from './transaction-query.ts'

/** A transaction's story from the chain itself. */
export function TxPage() {
  const { hash } = useParams({ from: '/tx/$hash' })
  const { job } = useSearch({ from: '/tx/$hash' })
  const { data, error, refetch } = useQuery(transactionQuery(useConfig(), hash))
  const story = useTransactions().find(({ txHash }) => txHash?.toLowerCase() === hash.toLowerCase())
  const jobId = data?.jobId ?? job ?? story?.jobId
  return (
    <div className="flex flex-col gap-6">
      <PageHeader
        title={story?.label ?? 'Transaction'}
        hint={
          <span className="flex items-center gap-1 font-mono text-14 wrap-anywhere">
            {hash}
            <CopyButton text={hash} label="Copy transaction hash" />
          </span>
        }
        actions={
          jobId && (
            <ButtonLink to="/jobs/$jobId" params={{ jobId }}>
              Go to the job
            </ButtonLink>
          )
        }
      />
      {error && <ErrorState error={error} onRetry={refetch} />}
      {data === undefined && !error && (
        <Card role="status" aria-label="Loading the transaction">
          <TextSkeleton lines={8} />
        </Card>
      )}
      {data === null && (
        <Card className="flex flex-col gap-2">
          <h2 className="text-16 font-semibold">This transaction is not on chain yet</h2>
          <p className="text-14 text-ink-muted">
            One that was just sent appears within seconds, and this page refreshes automatically. Otherwise
            check the hash.
          </p>
        </Card>
      )}
      {data && (
        <>
          <TxSentences transaction={data} />
          <TxFacts transaction={data} />
        </>
      )}
    </div>
  )
}
