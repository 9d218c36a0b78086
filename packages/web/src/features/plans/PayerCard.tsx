import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button } from '../../components/buttons/Button.tsx'
import { Address } from '../../components/money/Address.tsx'
import { Money } from '../../components/money/Money.tsx'
import { Card, Fact, Section } from '../../components/page/Card.tsx'
import { ErrorState } from '../../components/page/ErrorState.tsx'
import { Skeleton } from '../../components/page/Skeleton.tsx'
import { toastDone, toastError } from '../../components/popups/toast.ts'
import { useConfig } from '../../data/platform/config.ts'
import { usdcText } from '../../format/money.ts'
import { useClient } from '../../session/SessionProvider.tsx'
import { FundButton } from '../../shell/funding/FundButton.tsx'
import type { Payer } from './usePayer.ts'

const FUNDING_MICRO = 100_000_000n

/** Where plans are paid from, what is there, and how to add to it. */
export function PayerCard({ payer: { signer, isOwnWallet, balanceMicro, error } }: { payer: Payer }) {
  const isSandbox = useConfig()?.mode === 'sandbox'
  return (
    <Section
      title="Paid from"
      hint={
        isOwnWallet
          ? 'Your wallet is a smart account, so plans are pulled from it directly.'
          : 'Plans are pulled from a smart account that only your wallet controls. Nothing beyond what you sign for can be taken; the rest stays yours.'
      }
    >
      {error ? (
        <ErrorState error={error} />
      ) : (
        <Card className="flex flex-wrap items-center justify-between gap-4">
          <dl className="flex flex-wrap gap-8">
            <Fact label="Account">
              {signer ? <Address address={signer.address} /> : <Skeleton className="h-5 w-32" />}
            </Fact>
            <Fact label="Holds">
              {balanceMicro === undefined ? (
                <Skeleton className="h-5 w-24" />
              ) : (
                <Money micro={balanceMicro} />
              )}
            </Fact>
          </dl>
          {signer && isSandbox && <FaucetButton address={signer.address} />}
          {signer && !isSandbox && <FundButton address={signer.address} />}
        </Card>
      )}
    </Section>
  )
}

function FaucetButton({ address }: { address: string }) {
  const client = useClient()
  const queries = useQueryClient()
  const funding = useMutation({
    mutationFn: () => client.sandboxFaucet({ address, amount: FUNDING_MICRO.toString() }),
    onSuccess: async () => {
      toastDone(`${usdcText(FUNDING_MICRO)} USDC of test money arrived.`)
      await queries.invalidateQueries({ queryKey: ['balance'] })
    },
    onError: toastError,
  })
  return (
    <Button isBusy={funding.isPending} onClick={() => funding.mutate()}>
      Add {usdcText(FUNDING_MICRO)} test USDC
    </Button>
  )
}
