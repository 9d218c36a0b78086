import { findCountry } from '../../../format/countries.ts'

/** What a form says about a text: true, or what is wrong with it. */
type Verdict = true | string

export function checkEmail(text: string): Verdict {
  const isAddress = /^[^\s@"(),:;<>[\]\\]+@[^\s@.]+(\.[^\s@.]+)*\.[^\s@.\d]{2,}$/.test(text.trim())
  return isAddress || 'Write an email address, like ada@example.com.'
}

export function checkCountry(text: string): Verdict {
  return findCountry(text) !== undefined || 'Choose a country from the list.'
}

/** In the United States an employer number has two digits and seven; elsewhere tax numbers take many forms. */
export function checkTaxNumber(text: string, country: string): Verdict {
  const number = text.trim()
  if (number === '') return true
  if (findCountry(country)?.code === 'US') {
    return /^\d{2}-?\d{7}$/.test(number) || 'An EIN has nine digits, like 12-3456789.'
  }
  const isNumber = /^[A-Za-z0-9][A-Za-z0-9 ./-]{2,29}$/.test(number) && /\d/.test(number)
  return isNumber || 'Write the number exactly as on your tax documents.'
}
