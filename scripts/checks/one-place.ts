import { paymentMethods } from '@agent-marketplace/contract'
import { readCode } from './source-text.ts'

/** Where the payment methods are named; everything else asks a rail. */
const railsFile = 'packages/contract/src/money/rails.ts'
const methods: readonly string[] = paymentMethods

/** Payment methods written as strings outside their one place. Those in SQL stand in templates, which do not count. */
export function findRailLiterals(path: string, text: string): string[] {
  if (path === railsFile) return []
  return readCode(text)
    .strings.filter((string) => methods.includes(string))
    .map((string) => `${path}: '${string}'`)
}

export const callsCreateApp = (text: string): boolean => /\bcreateApp\s*\(/.test(readCode(text).code)

/** A limit of a test's or a suite's own, before its function or behind it: on a busy machine it fails what is right. */
export const hasOwnTimeLimit = (text: string): boolean =>
  /^\s*\}, (?:\d[\d_]{3,}|[A-Z][A-Z_]+)\)$|[\s,]\{\s*timeout:[^}]*\},\s*(?:async )?\(/m.test(
    readCode(text).code,
  )
