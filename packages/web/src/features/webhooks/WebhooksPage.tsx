import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { Webhook as WebhookIcon } from 'lucide-react'
import { EmptyState } from '../../components/page/EmptyState.tsx'
import { ErrorState } from '../../components/page/ErrorState.tsx'
import { PageHeader } from '../../components/page/PageHeader.tsx'
import { Skeleton } from '../../components/page/Skeleton.tsx'
import { webhooksQuery } from '../../data/account/integrations.ts'
import { RequireOwner } from '../../session/gates.tsx'
import { useClient } from '../../session/SessionProvider.tsx'
import { NewWebhookDialog } from './NewWebhookDialog.tsx'
import { WebhookCard } from './WebhookCard.tsx'

export function WebhooksPage() {
  return (
    <RequireOwner what="your webhooks">
      <Webhooks />
    </RequireOwner>
  )
}

function Webhooks() {
  const { webhook: opened } = useSearch({ from: '/developers/webhooks' })
  const webhooks = useQuery(webhooksQuery(useClient()))
  return (
    <div className="flex flex-col gap-8">
      <PageHeader
        title="Webhooks"
        hint="Get events about your jobs and money sent to your own program. Every message is signed; failed deliveries are retried for three days."
        actions={<NewWebhookDialog />}
      />
      {webhooks.isPending && <Skeleton className="h-40" />}
      {webhooks.isLoadingError && <ErrorState error={webhooks.error} onRetry={() => webhooks.refetch()} />}
      {webhooks.data?.length === 0 && (
        <EmptyState title="No webhooks yet" icon={<WebhookIcon aria-hidden />}>
          The webhooks you add appear here, each with its deliveries and their responses.
        </EmptyState>
      )}
      {webhooks.data?.map((webhook) => (
        <WebhookCard key={webhook.id} webhook={webhook} isOpen={webhook.id === opened} />
      ))}
    </div>
  )
}
