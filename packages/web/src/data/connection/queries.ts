import { isMarketplaceError } from '@agent-marketplace/sdk'
import { MutationCache, onlineManager, QueryClient } from '@tanstack/react-query'
import { type Connection, UnreachableError } from './connection.ts'

/**
 * What the page has read. While the service cannot be reached, reads wait and what was read stays in sight; what would
 * change something is refused before anybody signs.
 */
export function createQueries(connection: Connection): QueryClient {
  onlineManager.setEventListener((setOnline) => connection.subscribe(() => setOnline(connection.isUp())))
  return new QueryClient({
    mutationCache: new MutationCache({
      onMutate: () => {
        if (!connection.isUp()) throw new UnreachableError()
      },
    }),
    defaultOptions: {
      queries: {
        // The client repeats what may succeed later by itself; what fails as the connection goes waits for its return.
        retry: (_failures, error) => !connection.isUp() && isMarketplaceError(error) && error.retryable,
        staleTime: 10_000,
      },
      mutations: { networkMode: 'always' },
    },
  })
}
