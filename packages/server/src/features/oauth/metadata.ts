import { grantScopes } from '@agent-marketplace/contract'
import { resourceOf, resourcePaths } from './rules.ts'

/** The protocol's endpoints. Nothing else of the provider is served. */
export const paths = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  revoke: '/oauth/revoke',
  register: '/oauth/register',
}

export const SERVER_METADATA_PATH = '/.well-known/oauth-authorization-server'

export const issuerOf = (publicUrl: URL): string => publicUrl.origin

/** RFC 8414. It leaves out what is not supported. */
export function serverMetadata(publicUrl: URL) {
  const at = (path: string) => new URL(path, publicUrl).href
  return {
    issuer: issuerOf(publicUrl),
    authorization_endpoint: at(paths.authorize),
    token_endpoint: at(paths.token),
    revocation_endpoint: at(paths.revoke),
    registration_endpoint: at(paths.register),
    scopes_supported: grantScopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: at('/docs'),
  }
}

/** RFC 9728, one for each resource. */
export const resourceMetadata = (publicUrl: URL) =>
  resourcePaths.map((path) => ({
    path,
    document: {
      resource: resourceOf(publicUrl, path),
      resource_name: path === '/mcp' ? 'Agent Marketplace tools (MCP)' : 'Agent Marketplace API',
      authorization_servers: [issuerOf(publicUrl)],
      scopes_supported: grantScopes,
      bearer_methods_supported: ['header'],
      resource_documentation: new URL('/docs', publicUrl).href,
    },
  }))
