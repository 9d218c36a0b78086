import type { DeadLetter, EngineStatus } from '@agent-marketplace/contract'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Button } from '../../components/buttons/Button.tsx'
import { DayBars } from '../../components/charts/DayBars.tsx'
import { type Column, DataTable } from '../../components/lists/DataTable.tsx'
import { LoadMore } from '../../components/lists/LoadMore.tsx'
import { Card, Fact, Section } from '../../components/page/Card.tsx'
import { EmptyState } from '../../components/page/EmptyState.tsx'
import { ErrorState } from '../../components/page/ErrorState.tsx'
import { PageHeader } from '../../components/page/PageHeader.tsx'
import { Skeleton, TableSkeleton } from '../../components/page/Skeleton.tsx'
import { DecisionDialog } from '../../components/popups/DecisionDialog.tsx'
import { toastDone, toastError } from '../../components/popups/toast.ts'
import { Badge } from '../../components/status/StatusBadge.tsx'
import { TimeAgo } from '../../components/text/Time.tsx'
import { deadLettersQuery, engineQuery } from '../../data/admin.ts'
import { clockTime, timeSpan } from '../../format/time.ts'
import { useClient } from '../../session/SessionProvider.tsx'
import { type Reading, useReadings } from './useReadings.ts'

/** How what works without anybody asking is doing: the indexer, the intents, and work that was given up. */
export function AdminHealthPage() {
  const engine = useQuery(engineQuery(useClient()))
  return (
    <div className="flex flex-col gap-8">
      <PageHeader title="Health" hint="Background work, refreshed every few seconds." />
      {engine.isPending ? (
        <>
          <Skeleton className="h-52" />
          <TableSkeleton rows={2} />
        </>
      ) : (
        <>
          {engine.data ? (
            <Engine engine={engine.data} readAtMs={engine.dataUpdatedAt} />
          ) : (
            <ErrorState error={engine.error} onRetry={() => engine.refetch()} />
          )}
          <Section title="Failed work" hint="None of it is a payment. It needs a person.">
            <DeadLetters />
          </Section>
        </>
      )}
    </div>
  )
}

function Engine({ engine, readAtMs }: { engine: EngineStatus; readAtMs: number }) {
  const client = useClient()
  const readings = useReadings(engine, readAtMs)
  const { halted, haltedReason, indexedBlock, headBlock, lagBlocks, updatedAt, intents, wallets } = engine
  return (
    <Section
      title="Money engine"
      actions={<Badge tone={halted ? 'disputed' : 'done'}>{halted ? 'Halted' : 'Running'}</Badge>}
    >
      {halted && (
        <div
          role="alert"
          className="flex flex-wrap items-center justify-between gap-4 rounded-box bg-disputed-soft p-4"
        >
          <p className="text-14">{haltedReason} Nothing is sent until an administrator resumes it.</p>
          <DecisionDialog
            verb="Resume"
            subject="the money engine"
            description="The engine follows the chain as its node reports it, and rolls back replaced blocks. Check a second node first."
            done="The engine continues."
            isSentToOwner={false}
            isDanger
            decide={(reason) => client.call('resumeEngine', { body: { reason } })}
          />
        </div>
      )}
      {!engine.isOperator && (
        <p role="alert" className="rounded-box bg-disputed-soft p-4 text-14">
          The escrow’s operator is not this service’s key. Its transactions wait until the role returns or the
          service is restarted with the new key.
        </p>
      )}
      <Card>
        <dl className="grid grid-cols-2 gap-x-8 gap-y-4 sm:flex sm:flex-wrap">
          <Fact label="Chain read to block">
            {indexedBlock ?? 'none yet'} of {headBlock ?? 'unknown'}
          </Fact>
          <Fact label="Blocks behind">{lagBlocks ?? 'unknown'}</Fact>
          <Fact label="Last moved">{updatedAt ? <TimeAgo at={updatedAt} /> : 'never'}</Fact>
          <Fact label="Decided, not sent">{intents.pending}</Fact>
          <Fact label="Sent, no outcome yet">{intents.submitted}</Fact>
          <Fact label="Oldest waits for">
            {intents.oldestSeconds === 0 ? 'none waits' : timeSpan(intents.oldestSeconds * 1_000)}
          </Fact>
          <Fact label="Wallets followed">
            {wallets.followed}
            {wallets.waiting > 0 && `, ${wallets.waiting} to come`}
          </Fact>
        </dl>
      </Card>
      <div className="grid gap-4 sm:grid-cols-2">
        <Course
          title="Blocks behind"
          unit="Blocks"
          readings={readings}
          read={({ lagBlocks }) => lagBlocks ?? 0}
        />
        <Course
          title="Payments that wait"
          unit="Payments"
          readings={readings}
          read={({ intents: { pending, submitted } }) => pending + submitted}
        />
      </div>
    </Section>
  )
}

interface CourseProps {
  title: string
  unit: string
  readings: readonly Reading<EngineStatus>[]
  read: (engine: EngineStatus) => number
}

/** How a figure went since the page was opened. */
function Course({ title, unit, readings, read }: CourseProps) {
  const points = readings.map(({ atMs, value }) => ({ at: clockTime(atMs), value: read(value) }))
  const now = points.at(-1)
  return (
    <Card>
      <DayBars
        label={`${title} since ${points[0]?.at}: now ${now?.value}.`}
        title={title}
        figure={String(now?.value ?? 0)}
        unit={unit}
        along="Time, since this page was opened"
        isCount
        points={points.map(({ at, value }) => ({ key: at, label: at, text: String(value), value }))}
      />
    </Card>
  )
}

const columns: Column<DeadLetter>[] = [
  {
    key: 'task',
    header: 'Task',
    isTitle: true,
    cell: ({ task }) => <code className="font-mono">{task}</code>,
  },
  { key: 'reason', header: 'Last said', cell: ({ reason }) => reason ?? 'nothing' },
  { key: 'at', header: 'Given up', cell: ({ failedAt }) => <TimeAgo at={failedAt} /> },
  { key: 'retry', header: 'Try again', align: 'right', cell: (letter) => <RetryButton letter={letter} /> },
]

function DeadLetters() {
  const query = useInfiniteQuery(deadLettersQuery(useClient()))
  if (query.isPending) return <TableSkeleton rows={2} />
  if (query.isLoadingError) return <ErrorState error={query.error} onRetry={() => query.refetch()} />
  const rows = query.data?.pages.flatMap(({ data }) => data) ?? []
  if (rows.length === 0)
    return (
      <EmptyState title="No failed work">
        Tasks that ran out of attempts appear here and can be retried.
      </EmptyState>
    )
  return (
    <>
      <DataTable label="Failed work" columns={columns} rows={rows} rowKey={({ id }) => id} />
      <LoadMore list={query} />
    </>
  )
}

function RetryButton({ letter: { id, task } }: { letter: DeadLetter }) {
  const client = useClient()
  const queries = useQueryClient()
  const retry = useMutation({
    mutationFn: () => client.call('retryDeadLetter', { params: { id } }),
    onSuccess: async () => {
      toastDone('It is in the queue again.')
      await queries.invalidateQueries({ queryKey: ['admin'] })
    },
    onError: toastError,
  })
  return (
    <Button
      size="small"
      aria-label={`Try again: ${task}`}
      isBusy={retry.isPending}
      onClick={() => retry.mutate()}
    >
      Try again
    </Button>
  )
}
