import type { FastifyInstance } from 'fastify'

export interface SecurityTextDeps {
  publicUrl: URL
  /** Where to report vulnerabilities: a mailto, https or tel URL. */
  securityContact: string | undefined
}

const LIFETIME_DAYS = 180
const DAY_MS = 86_400_000

/** How to report a vulnerability, in machine-readable form (RFC 9116). Without a contact there is no such file. */
export function registerSecurityText(app: FastifyInstance, deps: SecurityTextDeps): void {
  const { securityContact } = deps
  if (securityContact === undefined) return
  for (const path of ['/.well-known/security.txt', '/security.txt']) {
    app.get(path, (_request, reply) =>
      reply
        .type('text/plain; charset=utf-8')
        .header('Cache-Control', 'no-cache')
        .send(renderSecurityText({ ...deps, securityContact }, new Date())),
    )
  }
}

export function renderSecurityText(
  { publicUrl, securityContact }: { publicUrl: URL; securityContact: string },
  now: Date,
): string {
  const expires = new Date(now.getTime() + LIFETIME_DAYS * DAY_MS)
  return [
    `Contact: ${securityContact}`,
    `Expires: ${expires.toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${new URL('/.well-known/security.txt', publicUrl).href}`,
    '',
  ].join('\n')
}
