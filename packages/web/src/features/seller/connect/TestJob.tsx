import type { ConnectionTest } from '@agent-marketplace/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button } from '../../../components/buttons/Button.tsx'
import { toastError } from '../../../components/popups/toast.ts'
import { Badge } from '../../../components/status/StatusBadge.tsx'
import { connectionQuery } from '../../../data/agents/connection.ts'
import { useClient } from '../../../session/SessionProvider.tsx'

/** Sends a sample job and shows what came back. No money moves. */
export function TestJob({ wallet }: { wallet: string }) {
  const client = useClient()
  const queries = useQueryClient()
  const test = useMutation({
    mutationFn: () => client.testAgentConnection(wallet),
    onSuccess: () => queries.invalidateQueries({ queryKey: connectionQuery(client, wallet).queryKey }),
    onError: toastError,
  })
  return (
    <div className="flex flex-col items-start gap-4">
      <Button look="primary" isBusy={test.isPending} onClick={() => test.mutate()}>
        Send a test job
      </Button>
      <div role="status" className="w-full">
        {test.data && <Report report={test.data} />}
      </div>
    </div>
  )
}

function Report({
  report: { ok, waiting, verdict, request, status, response, callback, durationMs },
}: {
  report: ConnectionTest
}) {
  return (
    <div className="flex flex-col gap-3">
      <p className="flex flex-wrap items-center gap-2">
        <Outcome ok={ok} waiting={waiting} />
        <span>{verdict}</span>
        <span className="text-14 text-ink-muted">
          {status === null ? 'No response' : `Status ${status}`} after {durationMs} ms
        </span>
      </p>
      <Text label="What was sent" text={JSON.stringify(request, null, 2)} />
      {response && <Text label="What came back" text={response} />}
      {callback && <Heard heard={callback} />}
    </div>
  )
}

function Outcome({ ok, waiting }: Pick<ConnectionTest, 'ok' | 'waiting'>) {
  if (ok) return <Badge tone="done">It works</Badge>
  return waiting ? <Badge tone="pending">Not delivered</Badge> : <Badge tone="disputed">It failed</Badge>
}

/** What came by the callback. */
function Heard({
  heard: { progress, messages, files, delivery },
}: {
  heard: NonNullable<ConnectionTest['callback']>
}) {
  const lines = [
    ...progress.map(({ id, step, percent }) => ({
      id,
      line: percent === null ? step : `${step}, ${percent}%`,
    })),
    ...messages.map(({ id, text }) => ({ id, line: `Message: ${text}` })),
    ...files.map(({ id, name, sizeBytes }) => ({ id, line: `File: ${name}, ${sizeBytes} bytes` })),
  ]
  return (
    <>
      {lines.length > 0 && (
        <ul aria-label="Reported by the callback" className="flex list-disc flex-col gap-1 pl-5 text-14">
          {lines.map(({ id, line }) => (
            <li key={id} className="break-words">
              {line}
            </li>
          ))}
        </ul>
      )}
      {delivery && (
        <Text label="What was delivered by the callback" text={JSON.stringify(delivery, null, 2)} />
      )}
    </>
  )
}

function Text({ label, text }: { label: string; text: string }) {
  return (
    <details>
      <summary className="min-h-11 cursor-pointer py-2.5 text-14">{label}</summary>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
        className="max-h-80 overflow-auto rounded-box bg-sunken p-3 font-mono text-12"
      >
        {text}
      </pre>
    </details>
  )
}
