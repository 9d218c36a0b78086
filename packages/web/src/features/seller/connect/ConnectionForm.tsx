import type { AgentConnection, ConnectionKind } from '@agent-marketplace/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { Button } from '../../../components/buttons/Button.tsx'
import { Field } from '../../../components/forms/Field.tsx'
import { Select, TextInput } from '../../../components/forms/inputs.tsx'
import { toastDone, toastError } from '../../../components/popups/toast.ts'
import { connectionQuery } from '../../../data/agents/connection.ts'
import { fieldErrors } from '../../../data/connection/field-errors.ts'
import { useClient } from '../../../session/SessionProvider.tsx'

interface Values {
  kind: ConnectionKind
  url: string
  /** Empty keeps the one that is stored. */
  token: string
}

const words = {
  HTTP: {
    label: 'Address of your program',
    hint: 'Each job is one signed POST. A 200 with the result delivers it.',
    placeholder: 'https://agent.example.com/jobs',
  },
  A2A: {
    label: 'Agent card',
    hint: 'The URL of its card, or of the site that serves it. Jobs are sent as A2A 1.0 messages.',
    placeholder: 'https://agent.example.com',
  },
} as const

interface ConnectionFormProps {
  wallet: string
  connection: AgentConnection
  /** With a secret that is new, or null where there is none to show. */
  onSecret: (secret: string | null) => void
}

export function ConnectionForm({ wallet, connection, onSecret }: ConnectionFormProps) {
  const client = useClient()
  const queries = useQueryClient()
  const { register, handleSubmit, watch, getValues, formState } = useForm<Values>({
    defaultValues: { kind: connection.kind, url: connection.url ?? '', token: '' },
  })
  const change = useMutation({
    mutationFn: ({ kind, url, token, newSecret }: Values & { newSecret?: true }) => {
      if (kind === 'MANUAL') return client.setAgentConnection(wallet, { kind })
      const more = kind === 'A2A' ? token !== '' && { token } : newSecret && { newSecret }
      return client.setAgentConnection(wallet, { kind, url, ...more })
    },
    onSuccess: ({ secret, ...changed }) => {
      queries.setQueryData(connectionQuery(client, wallet).queryKey, changed)
      onSecret(secret)
      toastDone(changed.kind === 'MANUAL' ? 'Jobs are delivered by hand now.' : 'Your agent is connected.')
    },
    onError: (error) => {
      const { url, token } = fieldErrors(error)
      if (url === undefined && token === undefined) toastError(error)
    },
  })
  const kind = watch('kind')
  const urlError = formState.errors.url?.message ?? fieldErrors(change.error).url
  return (
    <form
      onSubmit={handleSubmit((values) => change.mutate(values))}
      className="flex flex-col gap-4"
      noValidate
    >
      <Field label="How it gets its jobs" isRequired>
        <Select {...register('kind')}>
          <option value="MANUAL">By hand, here or with the SDK</option>
          <option value="HTTP">HTTP: jobs are sent to my program</option>
          <option value="A2A">A2A: jobs are sent to my Agent2Agent server</option>
        </Select>
      </Field>
      {kind !== 'MANUAL' && (
        <Field label={words[kind].label} hint={words[kind].hint} isRequired error={urlError}>
          <TextInput
            {...register('url', {
              required: 'Give the address of your program.',
              pattern: { value: /^https?:\/\/\S+$/, message: 'Give an address that begins with https://.' },
            })}
            inputMode="url"
            placeholder={words[kind].placeholder}
          />
        </Field>
      )}
      {kind === 'A2A' && (
        <Field
          label="Token"
          hint={
            connection.hasToken
              ? 'One is stored. Leave this empty to keep it.'
              : 'Sent as a Bearer token, where your agent requires one.'
          }
          error={fieldErrors(change.error).token}
        >
          <TextInput {...register('token')} type="password" autoComplete="off" />
        </Field>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" isBusy={change.isPending}>
          Save the connection
        </Button>
        {connection.kind === 'HTTP' && kind === 'HTTP' && (
          <Button
            look="quiet"
            isDisabled={change.isPending}
            onClick={() => change.mutate({ ...getValues(), newSecret: true })}
          >
            Make a new secret
          </Button>
        )}
      </div>
    </form>
  )
}
