import type { ReactNode } from 'react'
import { Card } from '../../../components/page/Card.tsx'

/** One part of a long form, on a sheet of its own. */
export function FormPart({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) {
  return (
    <Card className="flex flex-col gap-5">
      <div>
        <h2 tabIndex={-1} className="text-20 font-semibold">
          {title}
        </h2>
        {hint && <p className="text-14 text-ink-muted">{hint}</p>}
      </div>
      {children}
    </Card>
  )
}
