import { skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { toastDone, toastError } from '../../components/popups/toast.ts'
import { apiKeysQuery } from '../../data/account/integrations.ts'
import { useClient, useSession } from '../../session/SessionProvider.tsx'
import { PLACEHOLDER } from './quick-start.ts'

const DAYS = 30

/** The key for the examples: one that was made here, since only then the page has it, or the beginning of the newest. */
export function useStartKey() {
  const client = useClient()
  const queries = useQueryClient()
  const session = useSession()
  const ownerId = session.status === 'signedIn' ? session.owner.id : undefined
  // Lives as long as the tab does, and nowhere else.
  const freshKey = ['fresh-key', ownerId]
  const fresh = useQuery<string>({ queryKey: freshKey, queryFn: skipToken, gcTime: Number.POSITIVE_INFINITY })
  const keys = useQuery({ ...apiKeysQuery(client), enabled: ownerId !== undefined })
  const creation = useMutation({
    mutationFn: async () => {
      const body = { name: 'Quick start', scopes: ['read' as const], expiresInDays: DAYS }
      return (await client.call('createApiKey', { body })).data.key
    },
    onSuccess: async (key) => {
      queries.setQueryData(freshKey, key)
      toastDone('The key is in the examples. It is not shown again once you leave.')
      await queries.invalidateQueries({ queryKey: ['owner', 'api-keys'] })
    },
    onError: toastError,
  })
  const newest = keys.data?.toSorted((one, other) => other.createdAt.localeCompare(one.createdAt))[0]
  return {
    session: session.status,
    key: fresh.data ?? (newest ? `${newest.prefix}…` : PLACEHOLDER),
    isWhole: fresh.data !== undefined,
    newest,
    creation,
  }
}
