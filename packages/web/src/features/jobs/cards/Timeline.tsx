import type { JobDetail } from '@agent-marketplace/contract'
import type { ReactNode } from 'react'
import { TxLink } from '../../../components/money/Address.tsx'
import { Card } from '../../../components/page/Card.tsx'
import type { StepState } from '../../../components/status/Stepper.tsx'
import { ExactTime, TimeAgo } from '../../../components/text/Time.tsx'
import { cx } from '../../../design/cx.ts'
import { type WayStep, wayOf } from '../job-way.ts'
import { partyName, type Side } from '../sides.ts'
import { type Entry, entriesOf, lineOf } from './timeline-words.ts'

/** The one account of a job: what happened, with its proof where there is one; what is now; and what comes next. */
export function Timeline({ job, sides }: { job: JobDetail; sides: readonly Side[] }) {
  return (
    <Card className="flex flex-col gap-4">
      <h2 className="text-16 font-semibold">Timeline</h2>
      <ol aria-label="Timeline" className="flex flex-col [&>li:last-child]:pb-0">
        {entriesOf(job.timeline).map((entry) => (
          <PastLine
            key={entry.event.id}
            entry={entry}
            who={partyName(job, entry.event.actor, sides)}
            jobId={job.id}
          />
        ))}
        {wayOf(job).map((step) => (
          <WayLine key={step.key} step={step} />
        ))}
      </ol>
    </Card>
  )
}

function PastLine({ entry, who, jobId }: { entry: Entry; who: string; jobId: string }) {
  const { event, proofs } = entry
  const { title, quote, note, isQuiet } = lineOf(event, who)
  return (
    <Line state="past">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4 text-14">
        <span className={cx(isQuiet ? 'text-ink-muted' : 'font-medium')}>{title}</span>
        <TimeAgo at={event.createdAt} className="text-12 text-ink-muted" />
      </p>
      {note && <p className="text-14 text-ink-muted wrap-anywhere">{note}</p>}
      {quote && (
        <blockquote className="rounded-box bg-sunken px-4 py-2 text-14 whitespace-pre-wrap wrap-anywhere">
          {quote}
        </blockquote>
      )}
      {proofs.map((txHash) => (
        <p key={txHash} className="text-14 text-ink-muted">
          <span className="sr-only">Transaction </span>
          <TxLink txHash={txHash} jobId={jobId} />
        </p>
      ))}
    </Line>
  )
}

const words: Record<StepState, string | undefined> = {
  current: 'Now',
  ahead: 'Next',
  done: undefined,
  failed: undefined,
}

function WayLine({ step: { title, state, limit, money } }: { step: WayStep }) {
  return (
    <Line state={state}>
      <p className="flex flex-wrap items-baseline justify-between gap-x-4 text-14">
        <span className={cx(state === 'ahead' ? 'text-ink-muted' : 'font-medium')}>
          {words[state] && <span className={state === 'current' ? 'text-accent' : ''}>{words[state]}: </span>}
          {title}
        </span>
        {limit && (
          <span className="text-12 text-ink-muted">
            {typeof limit === 'string' ? (
              limit
            ) : (
              <>
                {limit.label} <ExactTime at={limit.at} />
              </>
            )}
          </span>
        )}
      </p>
      <p className="text-14 text-pretty text-ink-muted">{money}</p>
    </Line>
  )
}

const dots: Record<StepState | 'past', string> = {
  past: 'bg-ink',
  current: 'border-2 border-accent bg-surface',
  ahead: 'border-2 border-edge bg-surface',
  done: 'bg-done',
  failed: 'bg-cancelled',
}

function Line({ state, children }: { state: StepState | 'past'; children: ReactNode }) {
  return (
    <li
      aria-current={state === 'current' ? 'step' : undefined}
      className={cx(
        'group/line relative flex gap-4 pb-5',
        // The line to the next one: drawn through what is done, dashed to what is still to come.
        'before:absolute before:top-5 before:bottom-0 before:left-[0.3125rem] before:border-l last:before:hidden',
        state === 'past' ? 'before:border-edge' : 'before:border-dashed before:border-edge',
      )}
    >
      <span aria-hidden className="flex pt-1">
        <span className={cx('size-2.75 shrink-0 rounded-pill', dots[state])} />
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-1">{children}</div>
    </li>
  )
}
