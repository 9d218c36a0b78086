import { WEBHOOK_DESCRIPTION_MAX_LENGTH } from '@agent-marketplace/contract/lengths'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { Button } from '../../components/buttons/Button.tsx'
import { atMost } from '../../components/forms/at-most.ts'
import { Field } from '../../components/forms/Field.tsx'
import { Checkbox, TextInput } from '../../components/forms/inputs.tsx'
import { ErrorState } from '../../components/page/ErrorState.tsx'
import { SecretDialog } from '../../components/popups/SecretDialog.tsx'
import { fieldErrors } from '../../data/connection/field-errors.ts'
import { useClient } from '../../session/SessionProvider.tsx'
import { eventGroups, eventsOf } from './event-groups.ts'

interface WebhookForm {
  url: string
  description: string
  groups: string[]
}

const everything = eventGroups.map(({ label }) => label)

/** Asks where to send what, and then shows the signing secret once. */
export function NewWebhookDialog() {
  const client = useClient()
  const queries = useQueryClient()
  const { register, handleSubmit, reset, formState } = useForm<WebhookForm>({
    defaultValues: { url: '', description: '', groups: everything },
  })
  const creation = useMutation({
    mutationFn: async ({ url, description, groups }: WebhookForm) => {
      const body = { url, events: eventsOf(groups), ...(description && { description }) }
      return (await client.call('createWebhook', { body })).data
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ['owner', 'webhooks'] }),
  })
  const startOver = () => {
    creation.reset()
    reset()
  }
  const made = creation.data
  const refused = fieldErrors(creation.error)
  const urlError = formState.errors.url?.message ?? refused.url
  const noteError = formState.errors.description?.message ?? refused.description
  return (
    <SecretDialog
      title="Add a webhook"
      trigger={<Button look="primary">Add a webhook</Button>}
      onOpen={startOver}
      action={
        <Button look="primary" type="submit" form="new-webhook" isBusy={creation.isPending}>
          Add the webhook
        </Button>
      }
      made={
        made && {
          title: 'Your signing secret',
          description: 'Check every message with it (Standard Webhooks).',
          secret: made.secret,
          label: 'the secret',
        }
      }
    >
      <form
        id="new-webhook"
        onSubmit={handleSubmit((values) => creation.mutate(values))}
        className="flex flex-col gap-4"
        noValidate
      >
        <Field label="Address" hint="Where events are sent, by POST." isRequired error={urlError}>
          <TextInput
            {...register('url', {
              required: 'Give the address of your program.',
              pattern: { value: /^https?:\/\/\S+$/, message: 'Give an address that begins with https://.' },
            })}
            inputMode="url"
            placeholder="https://example.com/hooks/marketplace"
          />
        </Field>
        <Field label="Note" error={noteError}>
          <TextInput
            {...register('description', atMost(WEBHOOK_DESCRIPTION_MAX_LENGTH))}
            placeholder="Accounting"
          />
        </Field>
        <fieldset>
          <legend className="text-14 font-medium">Events</legend>
          {formState.errors.groups && (
            <p role="alert" className="text-14 text-danger">
              {formState.errors.groups.message}
            </p>
          )}
          {eventGroups.map(({ label, hint }) => (
            <Checkbox
              key={label}
              label={label}
              hint={hint}
              value={label}
              {...register('groups', { validate: (groups) => groups.length > 0 || 'Choose at least one.' })}
            />
          ))}
        </fieldset>
        {creation.isError && urlError === undefined && noteError === undefined && (
          <ErrorState error={creation.error} />
        )}
      </form>
    </SecretDialog>
  )
}
