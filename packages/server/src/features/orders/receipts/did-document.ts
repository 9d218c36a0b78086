import type { FastifyInstance } from 'fastify'
import { registerDocument } from '../../../platform/http/document.ts'
import { createReceiptKeys, type ReceiptKeys } from './receipt-keys.ts'

interface KeyConfig {
  mode: string
  publicUrl: URL
  sessionSecret: string
  receiptKey: string | undefined
  retiredReceiptKeys: readonly string[]
}

/** Undefined where nothing is signed. A sandbox has a key in any case, which lasts as long as its data. */
export function receiptKeysOf(config: KeyConfig): ReceiptKeys | undefined {
  const { mode, publicUrl, receiptKey, retiredReceiptKeys: retired } = config
  const secret = receiptKey ?? (mode === 'sandbox' ? config.sessionSecret : undefined)
  return secret === undefined ? undefined : createReceiptKeys({ publicUrl, secret, retired })
}

/** Ties the keys to this host, as did:web asks for it. */
export function registerDidDocument(http: FastifyInstance, { document }: ReceiptKeys): void {
  registerDocument(http, {
    path: '/.well-known/did.json',
    type: 'application/did+json; charset=utf-8',
    openToPages: true,
    make: () => JSON.stringify(document),
  })
}
