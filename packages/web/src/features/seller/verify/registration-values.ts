import type { OwnerRegistration } from '@agent-marketplace/contract'
import { findCountry } from '../../../format/countries.ts'

/** The form's fields: every one is a text, and an empty one was left out. */
export interface RegistrationValues extends Required<OwnerRegistration> {
  entityType: 'INDIVIDUAL' | 'COMPANY'
}

export const emptyRegistration: RegistrationValues = {
  entityType: 'INDIVIDUAL',
  entityName: '',
  legalAddress: '',
  city: '',
  state: '',
  postalCode: '',
  country: '',
  phoneNumber: '',
  email: '',
  ein: '',
}

/** What was left empty is not sent; the tax number belongs to companies. */
export function toRegistration({
  entityType,
  entityName,
  country,
  email,
  ein,
  ...rest
}: RegistrationValues): OwnerRegistration {
  const given = Object.entries({ ...rest, ein: entityType === 'COMPANY' ? ein : '' })
    .map(([name, text]) => [name, text.trim()] as const)
    .filter(([, text]) => text !== '')
  return {
    entityType,
    entityName: entityName.trim(),
    country: findCountry(country)?.code ?? country.trim(),
    email: email.trim(),
    ...Object.fromEntries(given),
  }
}
