import type { OwnerProfile } from '@agent-marketplace/contract'
import { useQueries } from '@tanstack/react-query'
import { useDismissal } from '../../../components/status/useDismissal.ts'
import { connectionQuery } from '../../../data/agents/connection.ts'
import { useClient, useOwner } from '../../../session/SessionProvider.tsx'
import { nextSetupStep, type SetupFacts } from './setup-steps.ts'

/** Of a seller without a sale, who rarely has more. */
const LOOKED_AT = 3

/** How far the seller has come on the way to the first sale. */
export function useSetup(me: OwnerProfile | undefined) {
  const client = useClient()
  const [isDismissed, dismiss] = useDismissal('seller-steps', useOwner().id)
  const hasSold = me !== undefined && BigInt(me.totalEarned) > 0n
  const looksAt = me === undefined || hasSold || isDismissed ? [] : me.agents.slice(0, LOOKED_AT)
  const connections = useQueries({
    queries: looksAt.map(({ walletAddress }) => connectionQuery(client, walletAddress)),
  })
  const facts: SetupFacts | undefined = me && {
    kycStatus: me.kycStatus,
    kycFeePaid: me.kycFeePaid,
    agentCount: me.agents.length,
    connections: connections.flatMap(({ data }) => data ?? []),
    hasSold,
  }
  const isNewcomer = me?.agents.length === 0
  return {
    isPending: connections.some(({ isPending }) => isPending),
    /** Undefined where there is nothing left to show. */
    facts: facts && nextSetupStep(facts) && (isNewcomer || !isDismissed) ? facts : undefined,
    dismiss,
  }
}
