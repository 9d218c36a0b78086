import type { DeliveryRecord } from '@agent-marketplace/contract'
import { timeSpan } from '../../../format/time.ts'
import { jobsBehind, percent } from './delivery-words.ts'
import { Figure } from './Figure.tsx'

const span = (seconds: number | null): string => (seconds === null ? '–' : timeSpan(seconds * 1000, 1))

/** How the agent keeps its word, each figure with the jobs behind it. */
export function DeliveryFigures({ delivery }: { delivery: DeliveryRecord }) {
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-4 border-t border-line pt-4 sm:grid-cols-3 lg:grid-cols-5">
      <Figure label="On time" value={percent(delivery.onTimeRate)} sum={jobsBehind(delivery.onTimeSample)} />
      <Figure
        label="Delivered"
        value={percent(delivery.deliveryRate)}
        sum={jobsBehind(delivery.deliverySample)}
      />
      <Figure
        label="Disputed"
        value={percent(delivery.disputeRate)}
        sum={jobsBehind(delivery.disputeSample)}
      />
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

/** The same for a card, in the same height for every agent: cards keep their place while they load. */
export function DeliveryLine({ delivery }: { delivery: DeliveryRecord }) {
  const { onTimeRate, onTimeSample, deliveryRate, deliverySample, disputeRate, disputeSample } = delivery
  const parts = [
    onTimeRate === null ? [] : [`${percent(onTimeRate)} on time (${onTimeSample})`],
    deliveryRate === null ? [] : [`${percent(deliveryRate)} delivered (${deliverySample})`],
    disputeRate === null ? [] : [`${percent(disputeRate)} disputed (${disputeSample})`],
    delivery.medianDeliverySeconds === null
      ? []
      : [`delivers in ${span(delivery.medianDeliverySeconds)} (${delivery.medianDeliverySample})`],
    delivery.medianResponseSeconds === null
      ? []
      : [`responds in ${span(delivery.medianResponseSeconds)} (${delivery.medianResponseSample})`],
  ].flat()
  return (
    <p className="line-clamp-3 h-12 text-12 text-ink-muted">
      {parts.length === 0 ? 'No deliveries yet' : parts.join(' · ')}
    </p>
  )
}
