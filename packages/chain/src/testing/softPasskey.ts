import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { bytesToHex, type Hex } from 'viem'
import { toWebAuthnAccount, type WebAuthnAccount } from 'viem/account-abstraction'

const USER_PRESENT = 1
const USER_VERIFIED = 4

/** A passkey whose P-256 key this process holds, with what a browser would return for each signature. */
export const createSoftPasskey = (): WebAuthnAccount => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const point = Buffer.concat([Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  const flags = Buffer.from([USER_PRESENT | USER_VERIFIED, 0, 0, 0, 0])
  const authenticatorData = Buffer.concat([createHash('sha256').update('localhost').digest(), flags])

  const signChallenge = (challenge: unknown) => {
    const text = Buffer.from(challenge as Uint8Array).toString('base64url')
    const clientDataJSON = Buffer.from(
      JSON.stringify({
        type: 'webauthn.get',
        challenge: text,
        origin: 'http://localhost',
        crossOrigin: false,
      }),
    )
    const signed = Buffer.concat([authenticatorData, createHash('sha256').update(clientDataJSON).digest()])
    return { authenticatorData, clientDataJSON, signature: sign('sha256', signed, privateKey) }
  }
  return toWebAuthnAccount({
    credential: { id: 'soft', publicKey: bytesToHex(point) as Hex },
    rpId: 'localhost',
    getFn: async (options) => {
      const challenge = options?.publicKey?.challenge
      if (challenge === undefined) throw new Error('there is nothing to sign')
      return { id: 'soft', type: 'public-key', response: signChallenge(challenge) } as unknown as Credential
    },
  })
}
