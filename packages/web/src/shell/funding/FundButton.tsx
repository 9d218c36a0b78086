import { type ReactNode, Suspense, useState } from 'react'
import { Button, type ButtonProps } from '../../components/buttons/Button.tsx'
import { lazyPart } from '../../data/connection/load-code.ts'

const FundDialog = lazyPart(() => import('./FundDialog.tsx'))

interface Funding {
  open: () => void
  /** To be kept where it outlives the shortage: it also shows that the money has arrived. */
  dialog: ReactNode
}

/** Shows where USDC can be sent so that this wallet can pay. */
export function useFunding(address: string | undefined): Funding {
  const [isOpen, setIsOpen] = useState(false)
  return {
    open: () => setIsOpen(true),
    dialog: (
      <Suspense>
        {isOpen && address && <FundDialog address={address} onClose={() => setIsOpen(false)} />}
      </Suspense>
    ),
  }
}

interface FundButtonProps extends Pick<ButtonProps, 'look' | 'size' | 'className'> {
  address: string
}

export function FundButton({ address, ...look }: FundButtonProps) {
  const { open, dialog } = useFunding(address)
  return (
    <>
      <Button {...look} onClick={open}>
        Add USDC
      </Button>
      {dialog}
    </>
  )
}
