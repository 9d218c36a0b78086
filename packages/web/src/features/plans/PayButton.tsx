import { Button, type ButtonProps } from '../../components/buttons/Button.tsx'
import { Money } from '../../components/money/Money.tsx'
import { ErrorState } from '../../components/page/ErrorState.tsx'
import { LiveRegion } from '../../components/page/LiveRegion.tsx'
import { usdcText } from '../../format/money.ts'
import { isRejectedByUser } from '../../session/wallet-error.ts'
import type { Payer } from './usePayer.ts'
import { type PlanOrder, usePlanPayment } from './usePlanPayment.ts'

interface PayButtonProps {
  /** Only one thing on the page is the primary one. */
  look?: ButtonProps['look']
  order: Omit<PlanOrder, 'payer' | 'label'>
  /** "Subscribe", "Upgrade". */
  verb: string
  /** Undefined until the service has said it. */
  chargeMicro: bigint | undefined
  payer: Payer
}

/** One signature, with everything that can stand in its way said before. */
export function PayButton({ look = 'primary', order, verb, chargeMicro, payer }: PayButtonProps) {
  const payment = usePlanPayment()
  const { signer, balanceMicro } = payer
  const missingMicro = (chargeMicro ?? 0n) - (balanceMicro ?? chargeMicro ?? 0n)
  const isShort = missingMicro > 0n
  const label = chargeMicro === undefined ? verb : `${verb} for ${usdcText(chargeMicro)} USDC`
  return (
    <div className="flex flex-col items-start gap-3">
      {isShort && (
        <p className="text-14 text-ink-muted">
          Your paying account is <Money micro={missingMicro} /> short. Add USDC under “Paid from”.
        </p>
      )}
      <Button
        look={look}
        className="max-sm:w-full"
        isBusy={payment.isPending}
        isDisabled={isShort || chargeMicro === undefined || signer === undefined}
        onClick={() => signer && payment.mutate({ ...order, label, payer: signer })}
      >
        {label}
      </Button>
      {isRejectedByUser(payment.error) && (
        <p role="status" className="text-14 text-ink-muted">
          You did not sign. Nothing happened.
        </p>
      )}
      {payment.error && !isRejectedByUser(payment.error) && <ErrorState error={payment.error} />}
      <LiveRegion
        text={payment.isPending ? 'Confirm in your wallet. The payment follows automatically.' : ''}
      />
    </div>
  )
}
