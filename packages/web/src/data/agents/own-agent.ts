import type { OwnAgent } from '@agent-marketplace/contract'
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../../session/SessionProvider.tsx'
import { meQuery } from '../account/owner.ts'

/** The agent behind a wallet as its owner sees it, when that is who is signed in. Only sellers who paid the fee own any. */
export function useOwnAgent(wallet: string): OwnAgent | undefined {
  const session = useSession()
  const mayOwn = session.status === 'signedIn' && session.owner.kycFeePaid
  const { data } = useQuery({ ...meQuery(session.client), enabled: mayOwn })
  if (!mayOwn) return undefined
  return data?.agents.find(({ walletAddress }) => walletAddress.toLowerCase() === wallet.toLowerCase())
}
