import { TriangleAlert } from 'lucide-react'
import { plainError } from '../../data/connection/errors.ts'
import { Button } from '../buttons/Button.tsx'
import { CopyButton } from '../buttons/CopyButton.tsx'

export interface ErrorDetailsProps {
  error: unknown
  onRetry?: () => void
}

/** What happened, that nothing was lost, what to do, and the id to quote. */
export default function ErrorDetails({ error, onRetry }: ErrorDetailsProps) {
  const { title, advice, requestId } = plainError(error)
  return (
    <div
      role="alert"
      className="flex gap-3 rounded-box border border-disputed/40 bg-disputed-soft p-4 text-ink"
    >
      <TriangleAlert aria-hidden className="mt-0.5 size-5 shrink-0 text-disputed" />
      <div className="flex min-w-0 flex-col gap-1">
        <p className="font-medium">{title}</p>
        <p className="text-14">{advice}</p>
        {requestId && (
          <p className="flex items-center gap-1 font-mono text-12 text-disputed">
            Request {requestId}
            <CopyButton text={requestId} label="Copy request id" />
          </p>
        )}
        {onRetry && (
          <Button size="small" className="mt-2 self-start" onClick={onRetry}>
            Try again
          </Button>
        )}
      </div>
    </div>
  )
}
