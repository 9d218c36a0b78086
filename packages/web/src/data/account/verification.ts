import type { MarketplaceClient } from '@agent-marketplace/sdk'
import { queryOptions } from '@tanstack/react-query'

/** What the provider said when it last refused; null when it never did. The notification is where the reason is kept. */
export const refusalQuery = (client: MarketplaceClient) =>
  queryOptions({
    queryKey: ['notifications', 'verification-refusal'],
    queryFn: async ({ signal }): Promise<{ title: string; message: string } | null> => {
      const { data } = await client.call('listNotifications', { query: { limit: 100 }, signal })
      const latest = data.notifications.find(({ type }) => type === 'KYC_REJECTED' || type === 'KYC_STARTED')
      return latest?.type === 'KYC_REJECTED' ? latest : null
    },
    staleTime: 10_000,
  })

const linkKey = (ownerId: string): string => `marketplace.verification.${ownerId}`

/** The provider's page is returned once, on registration; this browser remembers it until the verification is over. */
export function rememberLink(ownerId: string, url: string): void {
  localStorage.setItem(linkKey(ownerId), url)
}

export function rememberedLink(ownerId: string): string | undefined {
  const link = localStorage.getItem(linkKey(ownerId))
  return link?.startsWith('http') ? link : undefined
}
