import { Check, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '../../design/cx.ts'

export type StepState = 'done' | 'current' | 'ahead' | 'failed'

export interface Step {
  key: string
  title: ReactNode
  state: StepState
  /** A line under the title: when it was, or what it waits for. */
  note?: ReactNode
}

const words: Record<StepState, string> = {
  done: 'Done: ',
  current: 'Now: ',
  ahead: 'Later: ',
  failed: 'Failed: ',
}

const dots: Record<StepState, string> = {
  done: 'bg-ink text-ground',
  current: 'border-2 border-accent bg-surface',
  ahead: 'border-2 border-line bg-surface',
  failed: 'bg-danger text-on-danger',
}

/** Where something stands, from top to bottom. */
export function Stepper({ steps, label }: { steps: readonly Step[]; label: string }) {
  return (
    <ol aria-label={label} className="flex flex-col">
      {steps.map(({ key, title, state, note }, index) => (
        <li key={key} aria-current={state === 'current' ? 'step' : undefined} className="flex gap-3">
          <span aria-hidden className="flex flex-col items-center">
            <span className={cx('grid size-5 shrink-0 place-items-center rounded-pill', dots[state])}>
              {state === 'done' && <Check className="size-3" strokeWidth={3} />}
              {state === 'failed' && <X className="size-3" strokeWidth={3} />}
            </span>
            {index < steps.length - 1 && (
              <span className={cx('min-h-3 w-0.5 flex-1', state === 'done' ? 'bg-ink' : 'bg-line')} />
            )}
          </span>
          <span className="flex min-w-0 flex-col pb-4">
            <span className={cx('text-14', state === 'ahead' ? 'text-ink-muted' : 'font-medium')}>
              <span className="sr-only">{words[state]}</span>
              {title}
            </span>
            {note && <span className="text-12 text-ink-muted">{note}</span>}
          </span>
        </li>
      ))}
    </ol>
  )
}
