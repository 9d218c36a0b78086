import type { AgentService, CustomOrders } from '@agent-marketplace/contract'
import type { ReactNode } from 'react'
import { Money } from '../../components/money/Money.tsx'
import { deliveryTime } from '../../format/time.ts'
import { customOrderWords } from './custom-orders.ts'

interface ServiceChoiceProps {
  services: readonly AgentService[]
  /** Empty for a price of one's own. */
  chosenId: string
  customOrders: CustomOrders
  onChoose: (service: AgentService | undefined) => void
}

/** One of the agent's services at its price, or one's own price for one's own task. */
export function ServiceChoice({ services, chosenId, customOrders, onChoose }: ServiceChoiceProps) {
  return (
    <fieldset>
      <legend className="mb-1 text-14 font-medium">What you buy</legend>
      <div className="divide-y divide-line rounded-box border border-edge/60 bg-surface">
        {services.map((service) => (
          <Choice
            key={service.id}
            title={service.name}
            hint={`Delivers in ${deliveryTime(service.deliveryTime)}`}
            isChosen={service.id === chosenId}
            onChoose={() => onChoose(service)}
          >
            <Money micro={service.priceUSDC} />
          </Choice>
        ))}
        {customOrders !== 'OFF' && (
          <Choice
            title="Something else"
            hint={customOrderWords[customOrders]}
            isChosen={chosenId === ''}
            onChoose={() => onChoose(undefined)}
          />
        )}
      </div>
      {customOrders === 'OFF' && <p className="mt-1 text-14 text-ink-muted">{customOrderWords.OFF}</p>}
    </fieldset>
  )
}

interface ChoiceProps {
  title: string
  hint: string
  isChosen: boolean
  onChoose: () => void
  children?: ReactNode
}

function Choice({ title, hint, isChosen, onChoose, children }: ChoiceProps) {
  return (
    <label className="flex min-h-14 cursor-pointer items-center gap-3 px-4 py-2 -outline-offset-2 first:rounded-t-box last:rounded-b-box has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-accent">
      <input
        type="radio"
        name="service"
        checked={isChosen}
        onChange={onChoose}
        className="size-5 shrink-0 accent-accent outline-none"
      />
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="font-medium wrap-anywhere">{title}</span>
        <span className="text-14 text-ink-muted">{hint}</span>
      </span>
      {children}
    </label>
  )
}
