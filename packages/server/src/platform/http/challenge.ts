/** What a client may do next when its call was refused (RFC 6750, RFC 9728). */
export interface Challenge {
  /** Where the resource is described that refused it. */
  resourceMetadata: string
  error?: 'invalid_token' | 'insufficient_scope' | undefined
  /** The scopes that the call needs; undefined where no token covers it. */
  scope?: string | undefined
}

/** The value of `WWW-Authenticate`. */
export function writeChallenge({ error, scope, resourceMetadata }: Challenge): string {
  const parameters = Object.entries({ error, scope, resource_metadata: resourceMetadata })
  const written = parameters.flatMap(([name, value]) => (value === undefined ? [] : `${name}="${value}"`))
  return `Bearer ${written.join(', ')}`
}

/** A resource is a path of this service; its description lies beside it (RFC 9728, section 3). */
export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource'
export const resourceMetadataUrl = (publicUrl: URL, resourcePath: string): string =>
  new URL(`${RESOURCE_METADATA_PATH}${resourcePath}`, publicUrl).href
