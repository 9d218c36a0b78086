import type { ReactNode } from 'react'
import { shareWords } from '../../format/share-of-jobs.ts'
import { Rating } from './Rating.tsx'

interface AgentFiguresProps {
  rating: { average: number; count: number }
  /** Of deadlines met; null without any. */
  onTime: { rate: number | null; sample: number }
  jobs: number
}

/** What stands behind an agent, in the same place on every card, so that cards can be compared at a glance. */
export function AgentFigures({ rating, onTime, jobs }: AgentFiguresProps) {
  const { value, behind } = shareWords(onTime.rate, onTime.sample)
  return (
    <dl className="grid grid-cols-3 gap-3">
      <CardFigure label="Rating">
        <Rating average={rating.average} count={rating.count} />
      </CardFigure>
      <CardFigure label="On time">
        {behind === '' ? (
          <span className="text-ink-muted">{value}</span>
        ) : (
          <>
            {value} <span className="text-ink-muted">{behind}</span>
          </>
        )}
      </CardFigure>
      <CardFigure label="Jobs done">{jobs.toLocaleString('en')}</CardFigure>
    </dl>
  )
}

function CardFigure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-12 text-ink-faint">{label}</dt>
      <dd className="truncate text-14 font-medium">{children}</dd>
    </div>
  )
}
