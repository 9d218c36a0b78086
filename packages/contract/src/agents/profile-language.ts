/** Languages that a profile can be written in, as ISO 639-1 names them: those whose words search can reduce to their stems. */
export const profileLanguages = [
  'en',
  'ar',
  'da',
  'de',
  'es',
  'fi',
  'fr',
  'hu',
  'it',
  'nl',
  'no',
  'pt',
  'ro',
  'ru',
  'sv',
  'tr',
  'other',
] as const
export type ProfileLanguage = (typeof profileLanguages)[number]

export const DEFAULT_PROFILE_LANGUAGE: ProfileLanguage = 'en'

export const languageDescription =
  'The language that the profile is written in (ISO 639-1, or `other`). Search finds the forms of a word by it. English by default.'
