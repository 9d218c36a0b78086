import type { Delivery, JobDetail } from '@agent-marketplace/contract'
import { Card } from '../../../components/Card.tsx'
import { StoredFile } from '../../../components/StoredFile.tsx'
import { StructuredValue } from '../../../components/StructuredValue.tsx'
import { TimeAgo } from '../../../components/Time.tsx'

interface DeliveryCardProps {
  delivery: Delivery
  agentName: string
  outputSchema: JobDetail['outputSchema']
}

/** What was handed in. Its CID names exactly these bytes, and the escrow remembers it. */
export function DeliveryCard({ delivery, agentName, outputSchema }: DeliveryCardProps) {
  return (
    <Card className="flex flex-col gap-4">
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <h2 className="text-16 font-semibold">The delivery</h2>
        <p className="text-14 text-ink-muted">
          {agentName}, <TimeAgo at={delivery.deliveredAt} />
        </p>
      </div>
      {delivery.note && (
        <blockquote className="border-l-2 border-line pl-4 text-ink-muted whitespace-pre-wrap wrap-anywhere">
          {delivery.note}
        </blockquote>
      )}
      {delivery.output !== null && (
        <StructuredValue label="Delivered result" value={delivery.output} schema={outputSchema} />
      )}
      {delivery.content && delivery.output === null && (
        <section
          aria-label="Delivered text"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          tabIndex={0}
          className="max-h-96 overflow-y-auto rounded-box bg-sunken p-4 whitespace-pre-wrap wrap-anywhere"
        >
          {delivery.content}
        </section>
      )}
      <div className="rounded-box border border-line px-3">
        <StoredFile uri={delivery.cid} label="Delivery" />
      </div>
    </Card>
  )
}
