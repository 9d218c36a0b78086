import type { WebhookDelivery } from '@agent-marketplace/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button } from '../../components/buttons/Button.tsx'
import { toastDone, toastError } from '../../components/popups/toast.ts'
import { useClient } from '../../session/SessionProvider.tsx'

export function RedeliverButton({ delivery: { id, webhookId, eventType } }: { delivery: WebhookDelivery }) {
  const client = useClient()
  const queries = useQueryClient()
  const redelivery = useMutation({
    mutationFn: () => client.call('redeliverWebhook', { params: { id: webhookId, deliveryId: id } }),
    onSuccess: async () => {
      toastDone('It is sent again.')
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['owner', 'webhooks', webhookId] }),
        queries.invalidateQueries({ queryKey: ['owner', 'events'] }),
      ])
    },
    onError: toastError,
  })
  return (
    <Button
      look="quiet"
      size="small"
      aria-label={`Send again: ${eventType}`}
      isBusy={redelivery.isPending}
      onClick={() => redelivery.mutate()}
    >
      Send again
    </Button>
  )
}
