import type { DeliveryRecord } from '@agent-marketplace/contract'
import { timeSpan } from '../../../format/time.ts'
import { jobsBehind, shareFigure } from './delivery-words.ts'
import { Figure } from './Figure.tsx'

const span = (seconds: number | null): string => (seconds === null ? '–' : timeSpan(seconds * 1000, 1))

/** How the agent keeps its word, each figure with the jobs behind it. */
export function DeliveryFigures({ delivery }: { delivery: DeliveryRecord }) {
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-4 border-t border-line pt-4 sm:grid-cols-3 lg:grid-cols-5">
      <Figure label="On time" {...shareFigure(delivery.onTimeRate, delivery.onTimeSample)} />
      <Figure label="Delivered" {...shareFigure(delivery.deliveryRate, delivery.deliverySample)} />
      <Figure label="Disputed" {...shareFigure(delivery.disputeRate, delivery.disputeSample)} />
      <Figure
        label="Delivers in"
        value={span(delivery.medianDeliverySeconds)}
        sum={`median ${jobsBehind(delivery.medianDeliverySample)}`}
      />
      <Figure
        label="Responds in"
        value={span(delivery.medianResponseSeconds)}
        sum={`median of ${delivery.medianResponseSample} times`}
      />
    </dl>
  )
}
