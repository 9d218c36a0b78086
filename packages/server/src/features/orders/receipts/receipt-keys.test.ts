import { extractJWSHeader, verifyReceiptSignatureJWS } from '@x402/extensions/offer-receipt'
import { expect, test } from 'vitest'
import { receiptKeysOf } from './did-document.ts'
import { createReceiptKeys } from './receipt-keys.ts'

const publicUrl = new URL('https://market.example:8443')
const [first, second] = ['1'.repeat(64), '2'.repeat(64)]
const claims = {
  version: 1,
  network: 'eip155:8453',
  resourceUrl: 'https://market.example/x',
  payer: '0xä',
  issuedAt: 1,
}

interface DidDocument {
  id: string
  verificationMethod: { id: string; publicKeyJwk: { x: string } }[]
}

test('what an earlier key signed is verified by the document of the next one', async () => {
  const before = createReceiptKeys({ publicUrl, secret: first, retired: [] })
  const [old] = (before.document as DidDocument).verificationMethod
  if (!old) throw new Error('no key')
  const after = createReceiptKeys({ publicUrl, secret: second, retired: [old.publicKeyJwk.x] })
  const { id, verificationMethod } = after.document as DidDocument
  expect(id).toBe('did:web:market.example%3A8443')
  expect(verificationMethod).toHaveLength(2)
  for (const [keys, place] of [
    [after, 0],
    [before, 1],
  ] as const) {
    const signature = keys.sign(claims)
    const method = verificationMethod.find((known) => known.id === extractJWSHeader(signature).kid)
    expect(method).toBe(verificationMethod[place])
    const receipt = { format: 'jws', signature } as const
    expect(await verifyReceiptSignatureJWS(receipt, method?.publicKeyJwk as never)).toEqual(claims)
    const other = verificationMethod[1 - place]?.publicKeyJwk
    await expect(verifyReceiptSignatureJWS(receipt, other as never)).rejects.toThrow()
  }
})

test('without a key nothing is signed in production, and a sandbox keeps one of its own', () => {
  const config = {
    publicUrl,
    sessionSecret: 's'.repeat(32),
    receiptKey: undefined,
    retiredReceiptKeys: [],
  }
  expect(receiptKeysOf({ ...config, mode: 'production' })).toBeUndefined()
  expect(receiptKeysOf({ ...config, mode: 'production', receiptKey: first })).toBeDefined()
  const signed = () => receiptKeysOf({ ...config, mode: 'sandbox' })?.sign(claims)
  expect(signed()).toBe(signed())
})
