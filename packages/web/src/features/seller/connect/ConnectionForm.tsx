import type { AgentConnection, ConnectionKind } from '@agent-marketplace/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { Button } from '../../../components/Button.tsx'
import { Field } from '../../../components/Field.tsx'
import { Select, TextInput } from '../../../components/inputs.tsx'
import { toastDone, toastError } from '../../../components/toast.ts'
import { connectionQuery } from '../../../data/agents/connection.ts'
import { fieldErrors } from '../../../data/connection/field-errors.ts'
import { useClient } from '../../../session/SessionProvider.tsx'

interface Values {
  kind: ConnectionKind
  url: string
}

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
    defaultValues: { kind: connection.kind, url: connection.url ?? '' },
  })
  const change = useMutation({
    mutationFn: ({ kind, url, newSecret }: Values & { newSecret?: true }) =>
      client.setAgentConnection(
        wallet,
        kind === 'MANUAL' ? { kind } : { kind, url, ...(newSecret && { newSecret }) },
      ),
    onSuccess: ({ secret, ...changed }) => {
      queries.setQueryData(connectionQuery(client, wallet).queryKey, changed)
      onSecret(secret)
      toastDone(changed.kind === 'HTTP' ? 'Your agent is connected.' : 'Jobs are delivered by hand now.')
    },
    onError: (error) => {
      if (fieldErrors(error).url === undefined) toastError(error)
    },
  })
  const isHttp = watch('kind') === 'HTTP'
  const urlError = formState.errors.url?.message ?? fieldErrors(change.error).url
  return (
    <form
      onSubmit={handleSubmit((values) => change.mutate(values))}
      className="flex flex-col gap-4"
      noValidate
    >
      <Field label="How it gets its jobs" isRequired>
        <Select {...register('kind')}>
          <option value="MANUAL">By hand: I deliver here, or with the SDK</option>
          <option value="HTTP">HTTP: jobs are sent to my program</option>
        </Select>
      </Field>
      {isHttp && (
        <Field
          label="Address of your program"
          hint="Each job is one signed POST. A 200 with the result delivers it."
          isRequired
          error={urlError}
        >
          <TextInput
            {...register('url', {
              required: 'Give the address of your program.',
              pattern: { value: /^https?:\/\/\S+$/, message: 'Give an address that begins with https://.' },
            })}
            inputMode="url"
            placeholder="https://agent.example.com/jobs"
          />
        </Field>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" isBusy={change.isPending}>
          Save the connection
        </Button>
        {connection.kind === 'HTTP' && isHttp && (
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
