import { isMarketplaceError } from '@agent-marketplace/sdk'

/** What the service has against each field of a form, by the field's name; nothing when the error is another one. */
export function fieldErrors(error: unknown): Record<string, string> {
  return Object.fromEntries(issuesOf(error).map(({ path, message }) => [fieldOf(path), message]))
}

/** The same for forms whose fields have parts: each with its whole path, `/input/address/city`. */
export function issuesOf(error: unknown): { path: string; message: string }[] {
  if (!isMarketplaceError(error, 'VALIDATION_ERROR')) return []
  const { issues } = error.details
  if (!Array.isArray(issues)) return []
  return issues.map(({ path, message }) => ({ path, message: sentence(message) }))
}

/** `/evidence/0` speaks of the field `evidence`. */
const fieldOf = (path: string): string => path.replace(/^\//, '').split('/')[0] ?? ''

const sentence = (message: string): string => `This ${message}.`.replace(/\.\.$/, '.')
