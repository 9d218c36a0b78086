import type { OwnerRegistration } from '@agent-marketplace/contract'
import { registrationLengths } from '@agent-marketplace/contract/lengths'
import { useId } from 'react'
import { type FieldPath, useForm } from 'react-hook-form'
import { Button } from '../../../components/buttons/Button.tsx'
import { atMost } from '../../../components/forms/at-most.ts'
import { Field } from '../../../components/forms/Field.tsx'
import { TextInput } from '../../../components/forms/inputs.tsx'
import { ErrorState } from '../../../components/page/ErrorState.tsx'
import { fieldErrors } from '../../../data/connection/field-errors.ts'
import { countries } from '../../../format/countries.ts'
import { Choice } from './Choice.tsx'
import { checkCountry, checkEmail, checkTaxNumber } from './registration-checks.ts'
import { type RegistrationValues, toRegistration } from './registration-values.ts'

interface RegistrationFormProps {
  initial: RegistrationValues
  isBusy: boolean
  error: unknown
  onSubmit: (registration: OwnerRegistration) => void
}

/** Only what identifies somebody is requested; the address helps the provider and may stay empty. */
export function RegistrationForm({ initial, isBusy, error, onSubmit }: RegistrationFormProps) {
  const { register, handleSubmit, watch, formState } = useForm<RegistrationValues>({ defaultValues: initial })
  const countriesId = useId()
  const isCompany = watch('entityType') === 'COMPANY'
  const refusals = fieldErrors(error)
  const wrong = (name: FieldPath<RegistrationValues>) => formState.errors[name]?.message ?? refusals[name]
  const filled = (message: string) => (text: string) => text.trim() !== '' || message
  return (
    <form
      noValidate
      onSubmit={handleSubmit((values) => onSubmit(toRegistration(values)))}
      className="flex flex-col gap-5"
    >
      <fieldset>
        <legend className="mb-1 text-14 font-medium">You are</legend>
        <div className="grid gap-2 sm:grid-cols-2">
          <Choice
            value="INDIVIDUAL"
            label="A person"
            hint="You sell in your own name."
            {...register('entityType')}
          />
          <Choice
            value="COMPANY"
            label="A company"
            hint="A registered business sells."
            {...register('entityType')}
          />
        </div>
      </fieldset>
      <Field label={isCompany ? 'Company name' : 'Full name'} isRequired error={wrong('entityName')}>
        <TextInput
          autoComplete={isCompany ? 'organization' : 'name'}
          {...register('entityName', {
            validate: filled(isCompany ? 'Write the company’s name.' : 'Write your full name.'),
            ...atMost(registrationLengths.entityName),
          })}
        />
      </Field>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Email" isRequired error={wrong('email')}>
          <TextInput
            type="email"
            autoComplete="email"
            {...register('email', {
              validate: checkEmail,
              ...atMost(registrationLengths.email),
            })}
          />
        </Field>
        <Field label="Country" isRequired error={wrong('country')}>
          <TextInput
            autoComplete="country-name"
            list={countriesId}
            placeholder="Type to search"
            {...register('country', { validate: checkCountry, deps: ['ein'] })}
          />
        </Field>
        <datalist id={countriesId}>
          {countries.map(({ code, name }) => (
            <option key={code} value={name} />
          ))}
        </datalist>
      </div>
      <Field label="Address" error={wrong('legalAddress')}>
        <TextInput
          autoComplete="street-address"
          {...register('legalAddress', atMost(registrationLengths.legalAddress))}
        />
      </Field>
      <div className="grid gap-5 sm:grid-cols-3">
        <Field label="City" error={wrong('city')}>
          <TextInput autoComplete="address-level2" {...register('city', atMost(registrationLengths.city))} />
        </Field>
        <Field label="State or region" error={wrong('state')}>
          <TextInput
            autoComplete="address-level1"
            {...register('state', atMost(registrationLengths.state))}
          />
        </Field>
        <Field label="Postal code" error={wrong('postalCode')}>
          <TextInput
            autoComplete="postal-code"
            {...register('postalCode', atMost(registrationLengths.postalCode))}
          />
        </Field>
      </div>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Phone" error={wrong('phoneNumber')}>
          <TextInput
            type="tel"
            autoComplete="tel"
            {...register('phoneNumber', atMost(registrationLengths.phoneNumber))}
          />
        </Field>
        {isCompany && (
          <Field label="Tax or employer number" error={wrong('ein')}>
            <TextInput
              {...register('ein', { validate: (text, { country }) => checkTaxNumber(text, country) })}
            />
          </Field>
        )}
      </div>
      {error && Object.keys(refusals).length === 0 ? <ErrorState error={error} /> : null}
      <Button type="submit" look="primary" isBusy={isBusy} className="self-start max-sm:w-full">
        Register and verify
      </Button>
    </form>
  )
}
