import type { DocsIndex } from '@agent-marketplace/contract'

/** The call that a fragment of the former reference named. */
export function operationOfOldHash({ reference }: DocsIndex, hash: string): string | undefined {
  const [, method, path] = /^tag\/[^/]+\/(get|post|put|patch|delete)(\/.+)$/i.exec(hash) ?? []
  if (method === undefined) return undefined
  const isIt = (operation: { method: string; path: string }) =>
    operation.method === method.toUpperCase() && operation.path === path
  return reference.flatMap(({ operations }) => operations).find(isIt)?.id
}

/** Empty where it cannot be decoded. */
export function decodedHash(hash: string): string {
  try {
    return decodeURIComponent(hash)
  } catch {
    return ''
  }
}
