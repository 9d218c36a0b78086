import type { AgentServiceDetail } from '@agent-marketplace/contract'
import { Check } from 'lucide-react'
import { useState } from 'react'
import { Markdown } from '../../../components/text/Markdown.tsx'
import { fieldsOf } from '../../../data/schemas/schema-fields.ts'

/** What the service promises, and what it wants to know. Closed at first: the list is for choosing. */
export function ServiceTerms({ service }: { service: AgentServiceDetail }) {
  const [wasOpened, setWasOpened] = useState(false)
  const { description, included, inputRequired, inputSchema } = service
  const asked = inputRequired ? fieldsOf(inputSchema) : []
  if (description === null && included.length === 0 && asked.length === 0) return null
  return (
    <details className="w-full" onToggle={({ currentTarget }) => currentTarget.open && setWasOpened(true)}>
      <summary className="min-h-11 cursor-pointer py-2.5 text-14 text-ink-muted hover:text-ink">
        What you get<span className="sr-only"> with {service.name}</span>
      </summary>
      {wasOpened && (
        <div className="flex flex-col gap-4 pb-2">
          {description !== null && <Markdown text={description} />}
          {included.length > 0 && (
            <ul aria-label="Included" className="flex flex-col gap-1">
              {included.map((line) => (
                <li key={line} className="flex items-start gap-2 text-14">
                  <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-done" />
                  <span className="min-w-0 wrap-anywhere">{line}</span>
                </li>
              ))}
            </ul>
          )}
          {asked.length > 0 && (
            <p className="text-14 text-ink-muted wrap-anywhere">
              It asks for: {asked.map(({ label }) => label).join(', ')}.
            </p>
          )}
        </div>
      )}
    </details>
  )
}
