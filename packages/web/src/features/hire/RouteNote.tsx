import { type PaymentMethod, railOf, railPromises } from '@agent-marketplace/contract'
import { RailIcon } from '../../components/money/Rails.tsx'

/** What the price has decided about the way of the money, in plain words. */
export function RouteNote({ method }: { method: PaymentMethod }) {
  const { title } = railOf(method)
  return (
    <div className="flex flex-col gap-2 rounded-box bg-sunken p-4 text-14">
      <p className="flex items-center gap-2 font-medium">
        <RailIcon rail={method} className="size-4" />
        {title}
      </p>
      <ul className="flex list-disc flex-col gap-1 pl-4 text-ink-muted">
        {railPromises[method].map((promise) => (
          <li key={promise}>{promise}</li>
        ))}
      </ul>
    </div>
  )
}
