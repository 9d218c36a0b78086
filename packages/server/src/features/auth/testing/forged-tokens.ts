import { createHmac } from 'node:crypto'
import { SignJWT } from 'jose'

interface Forging {
  ownerId: string
  /** A good token of that owner. */
  token: string
  /** The key that signs good ones, for those that are wrong in another way. */
  secret: string
  /** Other keys, names, times and places of edits with every round. */
  round: number
}

const weakKeys = ['', 'secret', 'password', 'changeme', '0', 'HS256', 'agent-marketplace', 'null']
const keyNames = [
  '../../dev/null',
  '/proc/sys/kernel/random/uuid',
  "' or '1'='1",
  'http://127.0.0.1/key',
  '0',
]

/** Seventeen tokens that nobody gave out, each forged in a way of its own. */
export async function forgedTokens({ ownerId, token, secret, round }: Forging): Promise<string[]> {
  const [head = '', claims = '', signature = ''] = token.split('.')
  const payload = JSON.parse(Buffer.from(claims, 'base64url').toString())
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = (header: object, body: object, key: string, digest = 'sha256') => {
    const text = `${encode(header)}.${encode(body)}`
    return `${text}.${createHmac(digest, key).update(text).digest('base64url')}`
  }
  const right = new TextEncoder().encode(secret)
  const base = () => new SignJWT({ round }).setSubject(ownerId).setJti(payload.jti)
  const own = { ...payload, round }
  const weak = `${weakKeys[round % weakKeys.length]}${'1'.repeat(Math.floor(round / weakKeys.length))}`
  const place = round % signature.length
  const edited = signature[place] === 'A' ? 'B' : 'A'
  return [
    `${encode({ alg: 'none', round })}.${claims}.`,
    `${encode({ alg: 'None', typ: 'JWT', round })}.${claims}.${signature}`,
    signed({ alg: 'HS256' }, payload, weak),
    signed({ alg: 'HS256' }, own, `${secret}${round}`),
    signed({ alg: 'HS512' }, own, secret, 'sha512'),
    signed({ alg: 'RS256' }, own, secret),
    signed({ alg: 'HS256' }, { ...own, iss: 'another' }, secret),
    signed({ alg: 'HS256' }, { ...own, exp: undefined }, secret),
    signed({ alg: 'HS256' }, { ...own, jti: undefined }, secret),
    signed({ alg: 'HS256' }, { ...own, jti: 'x'.repeat(32) }, secret),
    signed({ alg: 'HS256', kid: keyNames[round % keyNames.length] }, own, ''),
    `${head}.${encode({ ...own, sub: 'cother000000000000000000' })}.${signature}`,
    `${head}.${claims}.${signature.slice(0, place)}${edited}${signature.slice(place + 1)}`,
    `${head}.${claims}${'.'.repeat(round)}`,
    `${token}.${'x'.repeat(round + 1)}`,
    await base()
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer('agent-marketplace')
      .setExpirationTime(round + 1)
      .sign(right),
    await base()
      .setProtectedHeader({ alg: 'HS384' })
      .setIssuer('agent-marketplace')
      .setExpirationTime('1h')
      .sign(right),
  ]
}
