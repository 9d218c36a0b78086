import type { ReactNode } from 'react'

/** What a file holds, in a frame of its own that scrolls. */
export function Box({ children }: { children: ReactNode }) {
  return (
    <section
      aria-label="Content"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className="max-h-[60dvh] overflow-auto rounded-box bg-sunken p-4"
    >
      {children}
    </section>
  )
}

export function Hint({ children }: { children: string }) {
  return <p className="text-ink-muted">{children} Download it to open it.</p>
}
