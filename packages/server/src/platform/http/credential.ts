import type { FastifyRequest } from 'fastify'

export interface Credential {
  token: string
  kind: 'bearer' | 'cookie'
}

const bearerPattern = /^Bearer +([^\s]+)$/i
const cookiePattern = /(?:^|;\s*)token=([^;\s]+)/

/**
 * A Bearer header decides alone: a bad one is not saved by a good cookie, and it can never switch the CSRF check off
 * for a cookie. Any other Authorization scheme is not ours and is passed over.
 */
export function readCredential(request: FastifyRequest): Credential | undefined {
  const bearer = request.headers.authorization?.match(bearerPattern)?.[1]
  if (bearer) return { token: bearer, kind: 'bearer' }
  const cookie = request.headers.cookie?.match(cookiePattern)?.[1]
  return cookie ? { token: cookie, kind: 'cookie' } : undefined
}

interface CookieOptions {
  secure: boolean
  maxAgeSeconds: number
}

export function tokenCookie(token: string, options: CookieOptions): string {
  const secure = options.secure ? '; Secure' : ''
  return `token=${token}; HttpOnly; SameSite=Lax; Path=/; Max-Age=${options.maxAgeSeconds}${secure}`
}
