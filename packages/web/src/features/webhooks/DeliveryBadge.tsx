import type { WebhookDelivery } from '@agent-marketplace/contract'
import { Badge } from '../../components/status/StatusBadge.tsx'

const looks = {
  PENDING: ['pending', 'Pending'],
  DELIVERED: ['done', 'Delivered'],
  FAILED: ['disputed', 'Given up'],
} as const

/** How far a message to a webhook has come. */
export function DeliveryBadge({ status }: Pick<WebhookDelivery, 'status'>) {
  const [tone, word] = looks[status]
  return <Badge tone={tone}>{word}</Badge>
}
