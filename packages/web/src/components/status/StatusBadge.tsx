import { Ban, CircleCheck, CircleDashed, CirclePlay, Eye, type LucideIcon, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '../../design/cx.ts'
import { type StatusKind, type StatusOf, statusLook, type Tone } from './status-words.ts'

const icons: Record<Tone, LucideIcon> = {
  pending: CircleDashed,
  active: CirclePlay,
  review: Eye,
  done: CircleCheck,
  disputed: TriangleAlert,
  cancelled: Ban,
}

const colours: Record<Tone, string> = {
  pending: 'bg-pending-soft text-pending',
  active: 'bg-active-soft text-active',
  review: 'bg-review-soft text-review',
  done: 'bg-done-soft text-done',
  disputed: 'bg-disputed-soft text-disputed',
  cancelled: 'bg-cancelled-soft text-cancelled',
}

/** A word with an icon in one of the six tones, for states that are not an enum of the service. */
export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  const Icon = icons[tone]
  return (
    <span
      className={cx(
        'inline-flex items-center gap-1 rounded-pill px-2 py-0.5 text-12 font-medium whitespace-nowrap',
        colours[tone],
      )}
    >
      <Icon aria-hidden className="size-3.5" />
      {children}
    </span>
  )
}

interface StatusBadgeProps<Kind extends StatusKind> {
  kind: Kind
  status: StatusOf<Kind>
}

/** A status of the service: `<StatusBadge kind="job" status={job.status} />`. */
export function StatusBadge<Kind extends StatusKind>({ kind, status }: StatusBadgeProps<Kind>) {
  const [tone, word] = statusLook(kind, status)
  return <Badge tone={tone}>{word}</Badge>
}
