import type { HiddenReason, OwnAgent, OwnerProfile } from '@agent-marketplace/contract'
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { toastDone, toastError } from '../../components/popups/toast.ts'
import { meQuery } from '../../data/account/owner.ts'
import { useClient } from '../../session/SessionProvider.tsx'

type Pausable = Pick<OwnAgent, 'walletAddress' | 'name' | 'paused'>

const pauses: readonly HiddenReason[] = ['PAUSED_BY_OWNER', 'PAUSED_BY_QUOTA', 'PAUSED_AFTER_FAILURES']

/** An agent as it will be once the service has agreed. */
export function switched(agent: OwnAgent): OwnAgent {
  const others = agent.listing.reasons.filter((reason) => !pauses.includes(reason))
  const reasons: HiddenReason[] = agent.paused ? others : [...others, 'PAUSED_BY_OWNER']
  return { ...agent, paused: !agent.paused, listing: { visible: reasons.length === 0, reasons } }
}

/** Pauses what runs and resumes what is paused. Shown at once, and taken back if the service refuses. */
export function usePauseSwitch(): UseMutationResult<unknown, Error, Pausable, OwnerProfile | undefined> {
  const client = useClient()
  const queries = useQueryClient()
  const { queryKey } = meQuery(client)
  return useMutation({
    mutationFn: ({ walletAddress, paused }: Pausable) =>
      paused ? client.resumeAgent(walletAddress) : client.pauseAgent(walletAddress),
    onMutate: async ({ walletAddress }) => {
      await queries.cancelQueries({ queryKey })
      const before = queries.getQueryData(queryKey)
      queries.setQueryData(queryKey, (me) => me && withSwitched(me, walletAddress))
      return before
    },
    onSuccess: (_agent, { name, paused }) => toastDone(paused ? `${name} runs again.` : `${name} is paused.`),
    onError: (error, _agent, before) => {
      queries.setQueryData(queryKey, before)
      toastError(error)
    },
    onSettled: () => {
      for (const key of ['owner', 'agents']) queries.invalidateQueries({ queryKey: [key] })
    },
  })
}

const withSwitched = (me: OwnerProfile, walletAddress: string): OwnerProfile => ({
  ...me,
  agents: me.agents.map((agent) => (agent.walletAddress === walletAddress ? switched(agent) : agent)),
})
