import type { AgentServiceDetail } from '@agent-marketplace/contract'
import { deliveryTime } from '../../format/time.ts'

/** What the price is for, above the price. */
export function ChosenService({ service }: { service: Pick<AgentServiceDetail, 'name' | 'deliveryTime'> }) {
  return (
    <div className="border-b border-line pb-3">
      <h2 className="font-medium wrap-anywhere">{service.name}</h2>
      <p className="text-14 text-ink-muted">Delivers in {deliveryTime(service.deliveryTime)}</p>
    </div>
  )
}
