import type { ComponentProps, ReactNode } from 'react'
import { cx } from '../../design/cx.ts'

/** A sheet of paper on the ground. `padding="none"` for tables and lists that reach the edge. */
export function Card({
  padding = 'regular',
  className,
  ...rest
}: ComponentProps<'div'> & { padding?: 'regular' | 'none' }) {
  return (
    <div
      {...rest}
      className={cx(
        'rounded-box border border-line bg-surface',
        padding === 'regular' && 'p-4 sm:p-6',
        className,
      )}
    />
  )
}

interface SectionProps {
  title: string
  hint?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

/** A part of a page under its own heading, which takes the focus where a control of the part goes away. */
export function Section({ title, hint, actions, children }: SectionProps) {
  return (
    <section className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end justify-between gap-2">
        <div>
          <h2 tabIndex={-1} className="text-20 font-semibold">
            {title}
          </h2>
          {hint && <p className="text-14 text-ink-muted">{hint}</p>}
        </div>
        {actions}
      </div>
      {children}
    </section>
  )
}

/** A label and what belongs to it, for facts in a row: price, deadline, wallet. */
export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-0.5">
      <dt className="text-12 text-ink-faint">{label}</dt>
      <dd className="text-14">{children}</dd>
    </div>
  )
}
