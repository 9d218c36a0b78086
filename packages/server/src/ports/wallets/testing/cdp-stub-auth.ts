import { createHash, generateKeyPairSync } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { importJWK, type JWTPayload, jwtVerify } from 'jose'

export interface CdpCredentials {
  apiKeyId: string
  apiKeySecret: string
  walletSecret: string
}

interface StubRequest {
  method: string
  host: string
  path: string
  headers: IncomingHttpHeaders
  body: unknown
}

/** Makes credentials as CDP hands them out, and checks requests as CDP documents it. Undefined means that all is well. */
export function createStubAuth() {
  const api = generateKeyPairSync('ed25519')
  const wallet = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { d = '', x = '' } = api.privateKey.export({ format: 'jwk' })
  const credentials: CdpCredentials = {
    apiKeyId: '5d7a2f0c-9c1e-4a52-8a55-1f0a6f7d3b21',
    apiKeySecret: Buffer.concat([Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')]).toString(
      'base64',
    ),
    walletSecret: wallet.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
  }
  const usedWalletTokens = new Set<string>()

  const checkApiToken = async ({ method, host, path, headers }: StubRequest): Promise<void> => {
    const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? ''
    const key = await importJWK(api.publicKey.export({ format: 'jwk' }), 'EdDSA')
    const { payload, protectedHeader } = await jwtVerify(token, key, {
      issuer: 'cdp',
      subject: credentials.apiKeyId,
      algorithms: ['EdDSA'],
      requiredClaims: ['exp', 'nbf', 'iat', 'uris'],
    })
    if (protectedHeader.kid !== credentials.apiKeyId) throw new Error('kid')
    assertUri(payload, `${method} ${host}${path}`)
  }

  const checkWalletToken = async ({ method, host, path, headers, body }: StubRequest): Promise<void> => {
    const key = await importJWK(wallet.publicKey.export({ format: 'jwk' }), 'ES256')
    const { payload } = await jwtVerify(String(headers['x-wallet-auth'] ?? ''), key, {
      algorithms: ['ES256'],
      requiredClaims: ['nbf', 'iat', 'jti', 'uris'],
      maxTokenAge: 60,
    })
    assertUri(payload, `${method} ${host}${path}`)
    if (payload.reqHash !== hashOf(body)) throw new Error('reqHash')
    if (usedWalletTokens.has(String(payload.jti))) throw new Error('jti used twice')
    usedWalletTokens.add(String(payload.jti))
  }

  return {
    credentials,
    async findProblem(request: StubRequest): Promise<string | undefined> {
      try {
        await checkApiToken(request)
        const changesAccounts = request.method !== 'GET' && request.path.includes('/evm/accounts')
        if (changesAccounts) await checkWalletToken(request)
        return undefined
      } catch (error) {
        return String(error)
      }
    },
  }
}

function assertUri({ uris }: JWTPayload, uri: string): void {
  if (!Array.isArray(uris) || uris.length !== 1 || uris[0] !== uri) throw new Error(`uris is not ${uri}`)
}

function hashOf(body: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(body)))
    .digest('hex')
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  )
}
