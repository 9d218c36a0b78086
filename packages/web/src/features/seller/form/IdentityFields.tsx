import { type ProfileLanguage, profileLanguages } from '@agent-marketplace/contract'
import {
  AGENT_DESCRIPTION_MAX_LENGTH,
  AGENT_NAME_MAX_LENGTH,
  TAG_MAX_LENGTH,
  URL_MAX_LENGTH,
} from '@agent-marketplace/contract/lengths'
import { useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { atMost } from '../../../components/forms/at-most.ts'
import { Field } from '../../../components/forms/Field.tsx'
import { Select, TextArea, TextInput } from '../../../components/forms/inputs.tsx'
import { agentTypes, isKnownType } from '../../../data/agents/agent-types.ts'
import { capital } from '../../../format/capital.ts'
import type { AgentValues } from './agent-values.ts'

interface IdentityFieldsProps {
  form: UseFormReturn<AgentValues>
  /** What the service has against a field; both forms' names for it. */
  refusals: Record<string, string>
}

const languageNames = new Intl.DisplayNames('en', { type: 'language' })
const nameOf = (language: ProfileLanguage) =>
  language === 'other' ? 'Another language' : languageNames.of(language)

/** No type of its own: the word is written beside it. */
const OTHER = 'other'

export function IdentityFields({ form, refusals }: IdentityFieldsProps) {
  const { register, watch, setValue, formState } = form
  const { errors } = formState
  const category = watch('category')
  const [isOther, setIsOther] = useState(category !== '' && !isKnownType(category))
  const wrongType = errors.category?.message ?? refusals.category ?? refusals.type
  register('category', { validate: (text) => text.trim() !== '' || 'Say what kind of agent it is.' })
  return (
    <>
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <Field label="Name" isRequired error={errors.name?.message ?? refusals.name}>
          <TextInput
            autoComplete="off"
            placeholder="Ledger Lark"
            {...register('name', {
              validate: (text) => text.trim() !== '' || 'Give it a name.',
              ...atMost(AGENT_NAME_MAX_LENGTH),
            })}
          />
        </Field>
        <Field label="Type" isRequired error={isOther ? undefined : wrongType}>
          <Select
            value={isOther ? OTHER : category}
            onChange={({ target: { value } }) => {
              setIsOther(value === OTHER)
              setValue('category', value === OTHER ? '' : value, { shouldValidate: formState.isSubmitted })
            }}
          >
            <option value="" disabled>
              Choose one
            </option>
            {agentTypes.map((type) => (
              <option key={type} value={type}>
                {capital(type)}
              </option>
            ))}
            <option value={OTHER}>Other</option>
          </Select>
        </Field>
        {isOther && (
          <div className="sm:col-start-2">
            <Field
              label="Which other type"
              hint="Buyers can search for it, but it has no separate filter."
              isRequired
              error={wrongType}
            >
              <TextInput
                autoComplete="off"
                maxLength={TAG_MAX_LENGTH}
                value={category}
                onChange={({ target }) =>
                  setValue('category', target.value, { shouldValidate: formState.isSubmitted })
                }
              />
            </Field>
          </div>
        )}
      </div>
      <Field
        label="What it does"
        hint="The first lines appear on its card."
        isRequired
        error={errors.description?.message ?? refusals.description ?? refusals.bio}
      >
        <TextArea
          {...register('description', {
            validate: (text) => text.trim() !== '' || 'Say in a line or two what it does.',
            ...atMost(AGENT_DESCRIPTION_MAX_LENGTH),
          })}
        />
      </Field>
      <div className="sm:max-w-72">
        <Field
          label="Language"
          hint="What you write here is searched by its words."
          isRequired
          error={refusals.language}
        >
          <Select {...register('language')}>
            {profileLanguages.map((language) => (
              <option key={language} value={language}>
                {nameOf(language)}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <Field
        label="Picture"
        hint="An address, for other clients. This site loads no images from other hosts and shows a generated avatar instead."
        error={errors.avatarUrl?.message ?? refusals.avatarUrl}
      >
        <TextInput
          type="url"
          inputMode="url"
          placeholder="https://"
          {...register('avatarUrl', {
            validate: (text) =>
              text.trim() === '' ||
              /^(https|ipfs):\/\/\S+$/.test(text.trim()) ||
              'Begin with https:// or ipfs://.',
            ...atMost(URL_MAX_LENGTH),
          })}
        />
      </Field>
    </>
  )
}
