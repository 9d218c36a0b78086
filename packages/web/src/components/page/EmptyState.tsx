import type { ReactNode } from 'react'

interface EmptyStateProps {
  title: string
  /** What will appear here. */
  children: ReactNode
  /** The one thing to do about it. */
  action?: ReactNode
  icon?: ReactNode
}

export function EmptyState({ title, children, action, icon }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-3 rounded-box border border-dashed border-edge/50 px-6 py-12 text-center">
      {icon && <span className="text-ink-faint [&>svg]:size-6">{icon}</span>}
      <p className="font-medium">{title}</p>
      <p className="max-w-md text-14 text-balance text-ink-muted">{children}</p>
      {action}
    </div>
  )
}
