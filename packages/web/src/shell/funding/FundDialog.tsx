import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../components/buttons/Button.tsx'
import { buttonLook } from '../../components/buttons/button-look.ts'
import { CopyButton } from '../../components/buttons/CopyButton.tsx'
import { Address } from '../../components/money/Address.tsx'
import { Money } from '../../components/money/Money.tsx'
import { QrCode } from '../../components/money/QrCode.tsx'
import { Fact } from '../../components/page/Card.tsx'
import { Skeleton } from '../../components/page/Skeleton.tsx'
import { Dialog } from '../../components/popups/Dialog.tsx'
import { toastError } from '../../components/popups/toast.ts'
import { balanceQuery } from '../../data/account/balance.ts'
import { useConfig } from '../../data/platform/config.ts'
import type { PlatformConfig } from '../../data/platform/platform-config.ts'
import { usdcText } from '../../format/money.ts'
import { FAUCET_MICRO, useSandbox } from '../sandbox/useSandbox.ts'

/** Somebody waits for money: the balance is read more often than elsewhere. */
const LOOK_AGAIN_MS = 4_000

interface FundDialogProps {
  address: string
  onClose: () => void
}

/** Where to send USDC, on which network, and what has arrived. */
export default function FundDialog({ address, onClose }: FundDialogProps) {
  const config = useConfig()
  return (
    <Dialog
      title="Add USDC"
      description={config && `Send USDC on ${config.chain.name} to this address. It is your own wallet.`}
      isOpen
      onOpenChange={(isOpen) => isOpen || onClose()}
      actions={config && <Ways config={config} address={address} />}
    >
      {config && (
        <div className="flex flex-col gap-4">
          <div className="flex flex-wrap items-center gap-4">
            <QrCode text={address} label="QR code of the address" />
            <dl className="flex min-w-40 flex-1 flex-col gap-3">
              <Fact label="Network">
                {config.chain.name} <span className="text-14 text-ink-muted">({config.chain.id})</span>
              </Fact>
              <Fact label="Token">
                <span className="flex flex-wrap items-center gap-x-2">
                  USDC <Address address={config.usdc.address} />
                </span>
              </Fact>
              <Holding config={config} address={address} />
            </dl>
          </div>
          <p className="flex items-center justify-between gap-2 rounded-box bg-sunken px-4 py-3">
            <span className="min-w-0 font-mono text-14 break-all">{address}</span>
            <CopyButton text={address} label="Copy address" />
          </p>
          <p className="rounded-box bg-review-soft p-3 text-14 text-review">{warningOf(config)}</p>
        </div>
      )}
    </Dialog>
  )
}

function warningOf({ mode, chain }: PlatformConfig): string {
  return mode === 'sandbox'
    ? 'This is a sandbox with test money. Never send real USDC to this address: it would not arrive here.'
    : `Only USDC, and only on ${chain.name}. Another token, or USDC on another network, does not arrive here and may be lost.`
}

/** What the wallet holds, and what has come since the dialog was opened. */
function Holding({ config, address }: { config: PlatformConfig; address: string }) {
  const { data: balanceMicro } = useQuery({
    ...balanceQuery(config, address),
    refetchInterval: LOOK_AGAIN_MS,
  })
  const [firstMicro, setFirstMicro] = useState<bigint>()
  if (firstMicro === undefined && balanceMicro !== undefined) setFirstMicro(balanceMicro)
  const arrivedMicro = (balanceMicro ?? 0n) - (firstMicro ?? balanceMicro ?? 0n)
  return (
    <Fact label="In the wallet">
      {balanceMicro === undefined ? <Skeleton className="h-6 w-28" /> : <Money micro={balanceMicro} />}
      <span role="status" className="block text-14 text-done">
        {arrivedMicro > 0n && `${usdcText(arrivedMicro)} USDC arrived.`}
      </span>
    </Fact>
  )
}

/** In the sandbox the faucet; elsewhere the place to buy USDC, where there is one. */
function Ways({ config, address }: { config: PlatformConfig; address: string }) {
  const { giveMoney } = useSandbox()
  const faucet = useMutation({ mutationFn: () => giveMoney({ address }), onError: toastError })
  const { onrampUrl } = config.wallets
  return (
    <>
      {onrampUrl && (
        <a
          href={onrampUrl.replace('{address}', address)}
          target="_blank"
          rel="noreferrer"
          className={buttonLook('secondary', 'regular')}
        >
          Buy USDC
          <span className="sr-only"> on another site</span>
        </a>
      )}
      {config.mode === 'sandbox' && (
        <Button look="primary" isBusy={faucet.isPending} onClick={() => faucet.mutate()}>
          Get {usdcText(FAUCET_MICRO)} test USDC
        </Button>
      )}
    </>
  )
}
