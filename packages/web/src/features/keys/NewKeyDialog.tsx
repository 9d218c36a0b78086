import { API_KEY_NAME_MAX_LENGTH } from '@agent-marketplace/contract/lengths'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FormProvider, useForm } from 'react-hook-form'
import { atMost } from '../../components/at-most.ts'
import { Button } from '../../components/Button.tsx'
import { Dialog } from '../../components/Dialog.tsx'
import { ErrorState } from '../../components/ErrorState.tsx'
import { Field } from '../../components/Field.tsx'
import { Select, TextInput } from '../../components/inputs.tsx'
import { SecretOnce } from '../../components/SecretOnce.tsx'
import { fieldErrors } from '../../data/connection/field-errors.ts'
import { useClient } from '../../session/SessionProvider.tsx'
import { BudgetFields } from './BudgetFields.tsx'
import { type BudgetForm, budgetOf } from './budget-form.ts'
import { type KeyChoice, keyChoices, maySpend } from './key-scopes.ts'

interface KeyForm extends BudgetForm {
  name: string
  access: KeyChoice
  expiresInDays: string
}

const emptyKey: KeyForm = { name: '', access: 'hire', expiresInDays: '365', agents: [], categories: '' }

function bodyOf({ name, access, expiresInDays, ...budget }: KeyForm) {
  return {
    name,
    scopes: [...keyChoices[access].scopes],
    ...(maySpend(access) && budgetOf(budget)),
    ...(expiresInDays && { expiresInDays: Number(expiresInDays) }),
  }
}

/** Asks what the key is for, and then shows it once. */
export function NewKeyDialog() {
  const client = useClient()
  const queries = useQueryClient()
  const [isOpen, setIsOpen] = useState(false)
  const form = useForm<KeyForm>({ defaultValues: emptyKey })
  const creation = useMutation({
    mutationFn: async (values: KeyForm) => (await client.call('createApiKey', { body: bodyOf(values) })).data,
    onSuccess: () => queries.invalidateQueries({ queryKey: ['owner', 'api-keys'] }),
  })
  const changeOpen = (open: boolean) => {
    setIsOpen(open)
    if (!open) return
    creation.reset()
    form.reset(emptyKey)
  }
  const submit = form.handleSubmit((values) => creation.mutate(values))
  const made = creation.data
  const nameError = form.formState.errors.name?.message ?? fieldErrors(creation.error).name
  return (
    <Dialog
      title={made ? 'Your new key' : 'Make an API key'}
      description={made ? made.name : 'Give it a name that says which program holds it.'}
      trigger={<Button look="primary">Make a key</Button>}
      isOpen={isOpen}
      onOpenChange={changeOpen}
      actions={
        made ? (
          <Button look="primary" onClick={() => setIsOpen(false)}>
            I have copied it
          </Button>
        ) : (
          <Button look="primary" type="submit" form="new-key" isBusy={creation.isPending}>
            Make the key
          </Button>
        )
      }
    >
      {made ? (
        <SecretOnce secret={made.key} label="the key" />
      ) : (
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
          {maySpend(form.watch('access')) && (
            <FormProvider {...form}>
              <BudgetFields />
            </FormProvider>
          )}
          <Field label="It ends" isRequired>
            <Select {...form.register('expiresInDays')}>
              <option value="30">after 30 days</option>
              <option value="90">after 90 days</option>
              <option value="365">after a year</option>
              <option value="">never, until you revoke it</option>
            </Select>
          </Field>
          {creation.isError && nameError === undefined && <ErrorState error={creation.error} />}
        </form>
      )}
    </Dialog>
  )
}
