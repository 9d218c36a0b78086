import { API_KEY_NAME_MAX_LENGTH } from '@agent-marketplace/contract/lengths'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { FormProvider, useForm } from 'react-hook-form'
import { Button } from '../../components/buttons/Button.tsx'
import { atMost } from '../../components/forms/at-most.ts'
import { Field } from '../../components/forms/Field.tsx'
import { Select, TextInput } from '../../components/forms/inputs.tsx'
import { ErrorState } from '../../components/page/ErrorState.tsx'
import { SecretDialog } from '../../components/popups/SecretDialog.tsx'
import { fieldErrors } from '../../data/connection/field-errors.ts'
import { useClient } from '../../session/SessionProvider.tsx'
import { CredentialFields } from './CredentialFields.tsx'
import { type CredentialForm, keyTerms, wantedOf } from './credential-form.ts'
import { type KeyChoice, keyChoices, maySpend } from './key-scopes.ts'

interface KeyForm extends CredentialForm {
  name: string
  access: KeyChoice
}

const emptyKey: KeyForm = { name: '', access: 'hire', expiresInDays: '365', agents: [], categories: '' }

const bodyOf = ({ name, access, ...wanted }: KeyForm) => ({
  name,
  scopes: [...keyChoices[access].scopes],
  ...wantedOf(wanted, maySpend(access)),
})

/** Asks what the key is for, and then shows it once. */
export function NewKeyDialog() {
  const client = useClient()
  const queries = useQueryClient()
  const form = useForm<KeyForm>({ defaultValues: emptyKey })
  const creation = useMutation({
    mutationFn: async (values: KeyForm) => (await client.call('createApiKey', { body: bodyOf(values) })).data,
    onSuccess: () => queries.invalidateQueries({ queryKey: ['owner', 'api-keys'] }),
  })
  const startOver = () => {
    creation.reset()
    form.reset(emptyKey)
  }
  const submit = form.handleSubmit((values) => creation.mutate(values))
  const made = creation.data
  const nameError = form.formState.errors.name?.message ?? fieldErrors(creation.error).name
  return (
    <SecretDialog
      title="Make an API key"
      description="Give it a name that says which program holds it."
      trigger={<Button look="primary">Make a key</Button>}
      onOpen={startOver}
      action={
        <Button look="primary" type="submit" form="new-key" isBusy={creation.isPending}>
          Make the key
        </Button>
      }
      made={made && { title: 'Your new key', description: made.name, secret: made.key, label: 'the key' }}
    >
      <form id="new-key" onSubmit={submit} className="flex flex-col gap-4" noValidate>
        <Field label="Name" isRequired error={nameError}>
          <TextInput
            {...form.register('name', {
              required: 'Give the key a name.',
              ...atMost(API_KEY_NAME_MAX_LENGTH),
            })}
            placeholder="Nightly import"
            autoComplete="off"
          />
        </Field>
        <Field label="It may" isRequired>
          <Select {...form.register('access')}>
            {Object.entries(keyChoices).map(([choice, { words }]) => (
              <option key={choice} value={choice}>
                {words}
              </option>
            ))}
          </Select>
        </Field>
        <FormProvider {...form}>
          <CredentialFields maySpend={maySpend(form.watch('access'))} terms={keyTerms} />
        </FormProvider>
        {creation.isError && nameError === undefined && <ErrorState error={creation.error} />}
      </form>
    </SecretDialog>
  )
}
