import { createHash, createHmac, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'

/** What is signed: flat, so that sorted fields are its canonical form (RFC 8785). */
export type Claims = Readonly<Record<string, string | number>>

export interface ReceiptKeys {
  /** A compact JWS. */
  sign(claims: Claims): string
  /** The DID document of this service: who signs in its name now, and who did before. */
  document: object
}

interface KeySettings {
  publicUrl: URL
  /** What the Ed25519 key is drawn from. */
  secret: string
  /** Public parts of earlier keys, as the document had them. */
  retired: readonly string[]
}

export function createReceiptKeys({ publicUrl, secret, retired }: KeySettings): ReceiptKeys {
  const did = `did:web:${encodeURIComponent(publicUrl.host)}`
  const privateKey = keyOf(secret)
  const current = publicPartOf(privateKey)
  const kidOf = (x: string) => `${did}#${thumbprintOf(x)}`
  const all = [...new Set([current, ...retired])]
  const header = encoded(JSON.stringify({ alg: 'EdDSA', kid: kidOf(current) }))
  return {
    sign(claims) {
      const signed = `${header}.${encoded(JSON.stringify(claims, Object.keys(claims).sort()))}`
      return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`
    },
    document: {
      '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/suites/jws-2020/v1'],
      id: did,
      verificationMethod: all.map((x) => ({
        id: kidOf(x),
        type: 'JsonWebKey2020',
        controller: did,
        publicKeyJwk: jwkOf(x),
      })),
      assertionMethod: all.map(kidOf),
    },
  }
}

const encoded = (text: string): string => Buffer.from(text).toString('base64url')

/** PKCS #8 before the 32 bytes of an Ed25519 seed. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

const keyOf = (secret: string): KeyObject => {
  const seed = createHmac('sha256', secret).update('receipt-key').digest()
  return createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' })
}

const publicPartOf = (key: KeyObject): string => String(createPublicKey(key).export({ format: 'jwk' }).x)

const jwkOf = (x: string) => ({ crv: 'Ed25519', kty: 'OKP', x })

/** Of a JWK (RFC 7638). */
const thumbprintOf = (x: string): string =>
  createHash('sha256')
    .update(JSON.stringify(jwkOf(x)))
    .digest('base64url')
