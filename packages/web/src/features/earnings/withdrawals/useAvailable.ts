import type { OwnAgent } from '@agent-marketplace/contract'
import { useQuery } from '@tanstack/react-query'
import { balanceQuery } from '../../../data/account/balance.ts'
import { withdrawalsQuery } from '../../../data/account/owner.ts'
import { useConfig } from '../../../data/platform/config.ts'
import { useClient } from '../../../session/SessionProvider.tsx'
import { availableMicro } from './available.ts'

/** What an agent's wallet can give now, by the chain; undefined while it is read. */
export function useAvailable({ id, walletAddress }: Pick<OwnAgent, 'id' | 'walletAddress'>): {
  availableMicro: bigint | undefined
  error: unknown
} {
  const balance = useQuery(balanceQuery(useConfig(), walletAddress))
  const { data } = useQuery(withdrawalsQuery(useClient()))
  return {
    availableMicro:
      balance.data === undefined ? undefined : availableMicro(balance.data, id, data?.withdrawals ?? []),
    error: balance.error,
  }
}
