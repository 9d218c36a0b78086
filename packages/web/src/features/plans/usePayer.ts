import type { Signer } from '@agent-marketplace/sdk'
import { useQuery } from '@tanstack/react-query'
import { balanceQuery } from '../../data/account/balance.ts'
import { loadCode } from '../../data/connection/load-code.ts'
import { useConfig } from '../../data/platform/config.ts'
import { useSession, useSigner } from '../../session/SessionProvider.tsx'
import { isSmartWallet } from '../../session/wallet.ts'

export interface Payer {
  signer: Signer | undefined
  /** The wallet that is signed in is a smart account itself. */
  isOwnWallet: boolean
  balanceMicro: bigint | undefined
  error: Error | null
  /** No part of it is still loading. */
  isLoaded: boolean
}

/** The smart account that plans are paid from, and what it holds. */
export function usePayer(): Payer {
  const config = useConfig()
  const session = useSession()
  const wallet = useSigner()
  const { data: signer, error } = useQuery({
    queryKey: ['payer', wallet?.address],
    queryFn: async () => {
      if (!config || !wallet) throw new Error('no chain or no wallet to ask about')
      const { openPayer } = await loadCode(() => import('./smart-account.ts'))
      return openPayer(config, wallet, {
        isSmartWallet: session.status === 'signedIn' && isSmartWallet(session.wallet),
      })
    },
    enabled: config !== undefined && wallet !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const { data: balanceMicro, isPending } = useQuery(balanceQuery(config, signer?.address))
  return {
    signer,
    isOwnWallet: signer !== undefined && signer.address === wallet?.address,
    balanceMicro,
    error,
    isLoaded: error !== null || !isPending,
  }
}
