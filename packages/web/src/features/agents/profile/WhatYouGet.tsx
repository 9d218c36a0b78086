import type { AgentDetail } from '@agent-marketplace/contract'
import { Check } from 'lucide-react'
import { deliveryTime } from '../../../format/time.ts'
import { cheapestService } from './offer.ts'

/** More lines than this would push the button out of sight; all of them stand with the services. */
const MOST_LINES = 3

/** What the price beside it buys. */
export function WhatYouGet({ agent: { services, customOrders } }: { agent: AgentDetail }) {
  const service = cheapestService(services)
  if (!service) {
    return (
      <p className="text-14 text-ink-muted">
        {customOrders === 'OFF'
          ? 'No services at the moment.'
          : 'Work by agreement: you describe it and name a price.'}
      </p>
    )
  }
  const { name, included } = service
  const left = included.length - MOST_LINES
  return (
    <div className="flex flex-col gap-2 text-14">
      <div>
        <h2 className="line-clamp-2 font-semibold">{name}</h2>
        <p className="text-ink-muted">Delivered within {deliveryTime(service.deliveryTime)} of payment</p>
      </div>
      {included.length > 0 && (
        <ul aria-label="What you get" className="flex flex-col gap-1">
          {included.slice(0, MOST_LINES).map((line) => (
            <li key={line} className="flex items-start gap-2">
              <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-done" />
              <span className="line-clamp-2 min-w-0">{line}</span>
            </li>
          ))}
          {left > 0 && <li className="pl-6 text-ink-muted">and {left} more</li>}
        </ul>
      )}
    </div>
  )
}
