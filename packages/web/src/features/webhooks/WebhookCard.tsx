import type { Webhook } from '@agent-marketplace/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../components/buttons/Button.tsx'
import { Card } from '../../components/page/Card.tsx'
import { Dialog } from '../../components/popups/Dialog.tsx'
import { SecretDialog } from '../../components/popups/SecretDialog.tsx'
import { toastDone, toastError } from '../../components/popups/toast.ts'
import { Badge } from '../../components/status/StatusBadge.tsx'
import { useClient } from '../../session/SessionProvider.tsx'
import { Deliveries } from './Deliveries.tsx'

/** One webhook: where it goes, what can be done with it, and what was sent. */
export function WebhookCard({ webhook, isOpen }: { webhook: Webhook; isOpen: boolean }) {
  const { id, url, description, active, events } = webhook
  const client = useClient()
  const [showsDeliveries, setShowsDeliveries] = useState(isOpen)
  const params = { id }
  const test = useChange('A test event was sent.', async () => {
    await client.call('testWebhook', { params })
    setShowsDeliveries(true)
  })
  const toggle = useChange(active ? 'Events are no longer sent.' : 'Events are sent again.', () =>
    client.call('updateWebhook', { params, body: { active: !active } }),
  )
  return (
    <Card role="group" aria-label={url} className="flex flex-col gap-4">
      <div className="flex flex-wrap items-start justify-between gap-4">
        <div className="flex min-w-0 flex-col gap-1">
          <h2 className="font-mono text-14 font-medium break-all">{url}</h2>
          <p className="text-14 text-ink-muted">
            {description && `${description} · `}
            {kindsOf(events)}
          </p>
        </div>
        <Badge tone={active ? 'done' : 'cancelled'}>{active ? 'Active' : 'Switched off'}</Badge>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button size="small" isBusy={test.isPending} isDisabled={!active} onClick={() => test.mutate()}>
          Send a test event
        </Button>
        <Button size="small" isBusy={toggle.isPending} onClick={() => toggle.mutate()}>
          {active ? 'Switch off' : 'Switch on'}
        </Button>
        <RotateButton id={id} />
        <DeleteButton id={id} url={url} />
        <Button
          size="small"
          look="quiet"
          aria-expanded={showsDeliveries}
          onClick={() => setShowsDeliveries(!showsDeliveries)}
        >
          {showsDeliveries ? 'Hide deliveries' : 'Show deliveries'}
        </Button>
      </div>
      {showsDeliveries && <Deliveries webhookId={id} />}
    </Card>
  )
}

function kindsOf({ length }: Webhook['events']): string {
  if (length === 0) return 'All events'
  return `${length} ${length === 1 ? 'kind' : 'kinds'} of events`
}

const BOTH_SIGN =
  'For 24 hours every message is signed with the old and the new secret, so you can switch without losing any.'

function RotateButton({ id }: { id: string }) {
  const client = useClient()
  const rotation = useMutation({
    mutationFn: async () => (await client.call('rotateWebhookSecret', { params: { id } })).data.secret,
    onError: toastError,
  })
  const secret = rotation.data
  return (
    <SecretDialog
      title="Get a new signing secret?"
      description={BOTH_SIGN}
      trigger={<Button size="small">New secret</Button>}
      onOpen={() => rotation.reset()}
      action={
        <Button look="primary" isBusy={rotation.isPending} onClick={() => rotation.mutate()}>
          Get a new secret
        </Button>
      }
      made={
        secret === undefined
          ? undefined
          : { title: 'Your new secret', description: BOTH_SIGN, secret, label: 'the secret' }
      }
    />
  )
}

function DeleteButton({ id, url }: { id: string; url: string }) {
  const client = useClient()
  const deletion = useChange('The webhook is removed.', () =>
    client.call('deleteWebhook', { params: { id } }),
  )
  return (
    <Dialog
      title="Remove this webhook?"
      description={`Nothing is sent to ${url} any more, and pending retries are dropped.`}
      trigger={<Button size="small">Remove</Button>}
      actions={
        <Button look="danger" isBusy={deletion.isPending} onClick={() => deletion.mutate()}>
          Remove the webhook
        </Button>
      }
    />
  )
}

function useChange(done: string, change: () => Promise<unknown>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      toastDone(done)
      await queries.invalidateQueries({ queryKey: ['owner', 'webhooks'] })
    },
    onError: toastError,
  })
}
