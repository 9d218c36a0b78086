import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '../../design/cx.ts'
import { Button } from '../buttons/Button.tsx'
import { Card } from '../page/Card.tsx'

export interface ChecklistStep {
  key: string
  title: string
  text: string
  isDone: boolean
  /** How far it has come, where that has a name. */
  mark?: ReactNode
  /** Leads to where it is done. The next one is the button of the screen, the others stand back. */
  action?: ((look: 'primary' | 'quiet') => ReactNode) | undefined
}

interface ChecklistProps {
  label: string
  steps: readonly ChecklistStep[]
  /** Where it can be put away before all of it is done. */
  onDismiss?: (() => void) | undefined
}

/** The way of a newcomer, the next step with its button. What shows it leaves it out once all is done. */
export function Checklist({ label, steps, onDismiss }: ChecklistProps) {
  const next = steps.find(({ isDone }) => !isDone)
  return (
    <Card padding="none">
      <ol aria-label={label} className="divide-y divide-line">
        {steps.map((step, index) => (
          <Step key={step.key} step={step} number={index + 1} isNext={step === next} />
        ))}
      </ol>
      {onDismiss && (
        <div className="flex justify-end border-t border-line px-4 py-1 sm:px-6">
          <Button look="quiet" size="small" onClick={onDismiss}>
            Hide these steps
          </Button>
        </div>
      )}
    </Card>
  )
}

function Step({ step, number, isNext }: { step: ChecklistStep; number: number; isNext: boolean }) {
  const { title, text, isDone, mark, action } = step
  return (
    <li
      aria-current={isNext ? 'step' : undefined}
      className={cx('flex flex-wrap items-center gap-4 px-4 sm:px-6', isDone ? 'py-3' : 'py-4 sm:py-5')}
    >
      <span
        aria-hidden
        className={cx(
          'grid size-8 shrink-0 place-items-center rounded-pill font-mono text-14',
          isDone && 'bg-ink text-ground',
          isNext && 'border-2 border-accent',
          !isDone && !isNext && 'border-2 border-line text-ink-faint',
        )}
      >
        {isDone ? <Check className="size-4" strokeWidth={3} /> : number}
      </span>
      <div className="min-w-0 flex-1 basis-56">
        <p className={cx('font-medium', !isDone && !isNext && 'text-ink-muted')}>
          {title}
          <span className="sr-only">{isDone ? ', done' : ''}</span>
        </p>
        {!isDone && <p className="text-14 text-ink-muted">{text}</p>}
      </div>
      {mark}
      {!isDone && action?.(isNext ? 'primary' : 'quiet')}
    </li>
  )
}
