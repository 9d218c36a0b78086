import type { PlacedOperation } from '@agent-marketplace/contract'

/** Who may call, in words. */
export function credentialWords({ security, 'x-api-key': key }: PlacedOperation): string {
  const scopes = key?.scopes.map((scope) => `“${scope}”`).join(' or ')
  const money =
    key?.money === 'counted'
      ? ' It counts toward the budget of the key.'
      : key?.money === 'uncapped'
        ? ' A key with a budget cannot make it.'
        : ''
  if (security.length === 0) return `Anybody may call it.${money}`
  if (scopes === undefined) return 'It needs a sign-in.'
  return `It needs a sign-in, or an API key with the scope ${scopes}.${money}`
}
