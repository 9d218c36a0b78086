import type { ReactNode } from 'react'
import { cx } from '../design/cx.ts'

export function ChoiceList({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-2">
      <h3 className="text-12 text-ink-faint">{title}</h3>
      {children}
    </section>
  )
}

interface ChoiceProps {
  icon: ReactNode
  title: string
  hint?: string
  isBusy: boolean
  isDisabled: boolean
  onChoose: () => void
  /** Somebody reaches for it: its code can be loaded. */
  onReach?: () => void
}

/** One way to sign in. */
export function Choice({ icon, title, hint, isBusy, isDisabled, onChoose, onReach }: ChoiceProps) {
  return (
    <button
      type="button"
      onClick={onChoose}
      onPointerEnter={onReach}
      onFocus={onReach}
      aria-disabled={isDisabled || undefined}
      aria-busy={isBusy || undefined}
      className={cx(
        'flex min-h-14 items-center gap-3 rounded-box border border-line px-4 py-2 text-left transition-colors hover:border-edge hover:bg-sunken [&>svg]:size-5 [&>svg]:shrink-0 [&>svg]:text-ink-muted',
        isDisabled && !isBusy && 'opacity-50',
      )}
    >
      {icon}
      <span className="flex flex-col">
        <span className="font-medium">{isBusy ? 'Waiting for the signature…' : title}</span>
        {hint && <span className="text-14 text-ink-muted">{hint}</span>}
      </span>
    </button>
  )
}
