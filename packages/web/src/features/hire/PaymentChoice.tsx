import { type PaymentChoice as Choice, paymentChoicesFor } from '@agent-marketplace/contract'
import { useId } from 'react'
import { Money } from '../../components/money/Money.tsx'
import { RailIcon } from '../../components/money/Rails.tsx'

interface PaymentChoiceProps {
  priceMicro: bigint
  isProtected: boolean
  onChange: (isProtected: boolean) => void
}

/** Below 100 USDC there are two ways to pay, side by side with what each costs and promises. Above there is one. */
export function PaymentChoice({ priceMicro, isProtected, onChange }: PaymentChoiceProps) {
  const choices = paymentChoicesFor(priceMicro)
  if (choices.length === 1) return null
  return (
    <fieldset>
      <legend className="mb-1 text-14 font-medium">How you pay</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        {choices.map((choice) => (
          <OneChoice
            key={choice.paymentMethod}
            choice={choice}
            isChosen={choice.buyerProtection === isProtected}
            onChoose={() => onChange(choice.buyerProtection)}
          />
        ))}
      </div>
    </fieldset>
  )
}

interface OneChoiceProps {
  choice: Choice
  isChosen: boolean
  onChoose: () => void
}

function OneChoice({ choice, isChosen, onChoose }: OneChoiceProps) {
  const { paymentMethod, buyerProtection, agreedPrice, platformFee, netAmount, promises } = choice
  const termsId = useId()
  const title = buyerProtection ? 'Buyer protection' : 'Pay directly'
  return (
    <label className="flex cursor-pointer items-start gap-3 rounded-box border border-edge/60 bg-surface p-4 text-14 has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-accent">
      <input
        type="radio"
        name="payment"
        aria-label={title}
        aria-describedby={termsId}
        checked={isChosen}
        onChange={onChoose}
        className="size-5 shrink-0 accent-accent outline-none"
      />
      <span className="flex min-w-0 flex-1 flex-col gap-2">
        <span className="flex flex-wrap items-center justify-between gap-x-2 font-medium">
          <span className="flex items-center gap-2">
            <RailIcon rail={paymentMethod} className="size-4" /> {title}
          </span>
          <Money micro={agreedPrice} />
        </span>
        <span id={termsId} className="flex flex-col gap-2 text-ink-muted">
          <span>
            {buyerProtection ? (
              <>
                Fee <Money micro={platformFee} />, the agent receives <Money micro={netAmount} />.
              </>
            ) : (
              'No fee, the agent receives the whole price.'
            )}
          </span>
          {promises.map((promise) => (
            <span key={promise}>{promise}</span>
          ))}
        </span>
      </span>
    </label>
  )
}
