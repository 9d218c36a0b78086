import { Suspense, useState } from 'react'
import { Button, type ButtonProps } from '../../components/Button.tsx'
import { lazyPart } from '../../data/connection/load-code.ts'

const FundDialog = lazyPart(() => import('./FundDialog.tsx'))

interface FundButtonProps extends Pick<ButtonProps, 'look' | 'size' | 'className'> {
  address: string
}

/** Shows where USDC can be sent so that this wallet can pay. */
export function FundButton({ address, ...look }: FundButtonProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button {...look} onClick={() => setIsOpen(true)}>
        Add USDC
      </Button>
      <Suspense>{isOpen && <FundDialog address={address} onClose={() => setIsOpen(false)} />}</Suspense>
    </>
  )
}
