import { useMutation } from '@tanstack/react-query'
import { Button } from '../../components/buttons/Button.tsx'
import { toastError } from '../../components/popups/toast.ts'
import { useConfig } from '../../data/platform/config.ts'
import { usdcText } from '../../format/money.ts'
import { useOwner } from '../../session/SessionProvider.tsx'
import { useSandbox } from '../sandbox/useSandbox.ts'
import { useFunding } from './FundButton.tsx'

const HUNDRED_MICRO = 100_000_000n

interface ShortageProps {
  balanceMicro: bigint | undefined
  priceMicro: bigint
  /** What becomes of the order meanwhile, where money comes from elsewhere. */
  note?: string
}

/** What the wallet lacks for a price, and the ways to get it; nothing where it holds enough. */
export function Shortage({ balanceMicro, priceMicro, note }: ShortageProps) {
  const missingMicro = balanceMicro === undefined ? 0n : priceMicro - balanceMicro
  const { open, dialog } = useFunding(useOwner().walletAddress ?? undefined)
  return (
    <>
      {missingMicro > 0n && <Missing missingMicro={missingMicro} note={note} onFund={open} />}
      {dialog}
    </>
  )
}

interface MissingProps {
  missingMicro: bigint
  note: string | undefined
  onFund: () => void
}

function Missing({ missingMicro, note, onFund }: MissingProps) {
  const isSandbox = useConfig()?.mode === 'sandbox'
  const { giveMoney } = useSandbox()
  const rounded = ((missingMicro + HUNDRED_MICRO - 1n) / HUNDRED_MICRO) * HUNDRED_MICRO
  const faucet = useMutation({ mutationFn: () => giveMoney({ amountMicro: rounded }), onError: toastError })
  return (
    <div
      role="alert"
      className="flex flex-col items-start gap-2 rounded-box bg-review-soft p-3 text-14 text-review"
    >
      <p>
        You are <span className="font-mono">{usdcText(missingMicro)}</span> USDC short.
        {!isSandbox && note && ` ${note}`}
      </p>
      <div className="flex flex-wrap gap-2">
        {isSandbox && (
          <Button size="small" isBusy={faucet.isPending} onClick={() => faucet.mutate()}>
            Get {usdcText(rounded)} test USDC
          </Button>
        )}
        <Button size="small" onClick={onFund}>
          Add USDC
        </Button>
      </div>
    </div>
  )
}
