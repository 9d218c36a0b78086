import type { JobDetail, TimelineEvent } from '@agent-marketplace/contract'
import { TxLink } from '../../../components/Address.tsx'
import { Card } from '../../../components/Card.tsx'
import { TimeAgo } from '../../../components/Time.tsx'
import { cx } from '../../../design/cx.ts'
import { partyName, type Side } from '../sides.ts'
import { lineOf } from './timeline-words.ts'

/** Everything that happened, oldest first, with its proof where there is one. */
export function Timeline({ job, sides }: { job: JobDetail; sides: readonly Side[] }) {
  return (
    <Card className="flex flex-col gap-4">
      <h2 className="text-16 font-semibold">Timeline</h2>
      <ol aria-label="Timeline" className="flex flex-col">
        {job.timeline.map((event, index) => (
          <Line
            key={event.id}
            event={event}
            who={partyName(job, event.actor, sides)}
            jobId={job.id}
            isLast={index === job.timeline.length - 1}
          />
        ))}
      </ol>
    </Card>
  )
}

interface LineProps {
  event: TimelineEvent
  who: string
  jobId: string
  isLast: boolean
}

function Line({ event, who, jobId, isLast }: LineProps) {
  const { title, quote, note, isQuiet } = lineOf(event, who)
  return (
    <li className="flex gap-4">
      <span aria-hidden className="flex flex-col items-center pt-1.5">
        <span className={cx('size-2 shrink-0 rounded-pill', isQuiet ? 'bg-line' : 'bg-ink')} />
        {!isLast && <span className="mt-1 -mb-0.5 w-px flex-1 bg-line" />}
      </span>
      <div className={cx('flex min-w-0 flex-1 flex-col gap-1', !isLast && 'pb-5')}>
        <p className="flex flex-wrap items-baseline justify-between gap-x-4 text-14">
          <span className={cx(isQuiet ? 'text-ink-muted' : 'font-medium')}>{title}</span>
          <TimeAgo at={event.createdAt} className="text-12 text-ink-faint" />
        </p>
        {note && <p className="text-14 text-ink-muted wrap-anywhere">{note}</p>}
        {quote && (
          <blockquote className="rounded-box bg-sunken px-4 py-2 text-14 whitespace-pre-wrap wrap-anywhere">
            {quote}
          </blockquote>
        )}
        {event.txHash && (
          <p className="text-14 text-ink-muted">
            <span className="sr-only">Transaction </span>
            <TxLink txHash={event.txHash} jobId={jobId} />
          </p>
        )}
      </div>
    </li>
  )
}
