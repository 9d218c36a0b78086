import type { MarketplaceClient } from '@agent-marketplace/sdk'
import { MutationObserver, type QueryClient } from '@tanstack/react-query'
import { toastError } from '../../../components/popups/toast.ts'
import { SAVED_KEY, savedWalletsQuery } from '../../../data/agents/saved-agents.ts'

interface Toggling {
  client: MarketplaceClient
  queries: QueryClient
  walletAddress: string
  isWanted: boolean
}

/** Saves an agent or takes it from the list: on the page at once, and taken back where the service rejects it. */
export function toggleSaved({ client, queries, walletAddress, isWanted }: Toggling): void {
  const wallet = walletAddress.toLowerCase()
  const saving = new MutationObserver(queries, {
    mutationFn: () =>
      client.call(isWanted ? 'saveAgent' : 'unsaveAgent', { params: { wallet: walletAddress } }),
    onMutate: () => {
      queries.setQueryData(savedWalletsQuery(client).queryKey, (before = []) =>
        isWanted ? [wallet, ...before] : before.filter((other) => other !== wallet),
      )
    },
    onError: toastError,
    onSettled: () => queries.invalidateQueries({ queryKey: SAVED_KEY }),
  })
  // What fails is said by the toast.
  saving.mutate().catch(() => undefined)
}
