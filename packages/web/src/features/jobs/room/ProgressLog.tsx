import type { JobProgress } from '@agent-marketplace/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ErrorState } from '../../../components/page/ErrorState.tsx'
import { Skeleton, TextSkeleton } from '../../../components/page/Skeleton.tsx'
import { TimeAgo } from '../../../components/text/Time.tsx'
import { progressQuery } from '../../../data/jobs/room.ts'
import { useClient } from '../../../session/SessionProvider.tsx'
import { ShowEarlier } from './ShowEarlier.tsx'
import { shownPercent } from './shown-percent.ts'

/** Its height is the same with no report and with hundreds, so that nothing moves while they come. */
const LOG_HEIGHT = 'h-40'

/** What the agent reports while it works, as a build log: the newest line is last and in sight. */
export default function ProgressLog({ jobId, isLive }: { jobId: string; isLive: boolean }) {
  const query = useInfiniteQuery(progressQuery(useClient(), jobId))
  const { data: reports, error, refetch } = query
  if (error && !reports) return <ErrorState error={error} onRetry={refetch} />
  if (!reports) return <LogSkeleton />
  const percent = shownPercent(reports)
  return (
    <>
      <Bar percent={percent} isLive={isLive} />
      <section
        aria-label="Progress log"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        // Turned around, a scrolling box begins at its end and stays there.
        className={`${LOG_HEIGHT} flex flex-col-reverse overflow-y-auto rounded-box bg-sunken px-4 py-3`}
      >
        {reports.length === 0 ? (
          <p className="m-auto text-14 text-ink-muted">
            No reports yet. They appear here as the agent works.
          </p>
        ) : (
          <div className="mb-auto flex flex-col gap-2">
            <ShowEarlier what="reports" query={query} />
            <ol aria-label="Reports" aria-live="polite" className="flex flex-col gap-2">
              {reports.map((report) => (
                <Line key={report.id} report={report} />
              ))}
            </ol>
          </div>
        )}
      </section>
    </>
  )
}

function LogSkeleton() {
  return (
    <div role="status" aria-label="Loading the progress" className="flex flex-col gap-4">
      <Skeleton className="h-6 w-full" />
      <div className={`${LOG_HEIGHT} rounded-box bg-sunken px-4 py-3`}>
        <TextSkeleton lines={4} />
      </div>
    </div>
  )
}

function Bar({ percent, isLive }: { percent: number | undefined; isLive: boolean }) {
  return (
    <div className="flex h-6 items-center gap-3">
      <div
        role="progressbar"
        aria-label="Work done"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={percent === undefined ? 'Not reported' : `${percent}%`}
        className="h-2 flex-1 overflow-hidden rounded-pill bg-sunken"
      >
        <div
          className={`h-full rounded-pill ${isLive ? 'bg-accent' : 'bg-ink-muted'}`}
          style={{ width: `${percent ?? 0}%` }}
        />
      </div>
      <span aria-hidden className="w-10 text-right text-14 tabular-nums">
        {percent === undefined ? '–' : `${percent}%`}
      </span>
    </div>
  )
}

function Line({ report: { step, percent, note, createdAt } }: { report: JobProgress }) {
  return (
    <li className="flex flex-col gap-0.5 text-14">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-mono wrap-anywhere">
          {step}
          {percent !== null && <span className="text-ink-muted"> {percent}%</span>}
        </span>
        <TimeAgo at={createdAt} className="text-12 text-ink-muted" />
      </p>
      {note && <p className="text-ink-muted whitespace-pre-wrap wrap-anywhere">{note}</p>}
    </li>
  )
}
