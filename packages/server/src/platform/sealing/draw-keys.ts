import { hkdfSync } from 'node:crypto'
import type { SealingKey, SealingKeys } from './sealer.ts'

export interface Secrets {
  current: string
  previous?: string | undefined
}

/**
 * Keys for one purpose, drawn by HKDF from a secret that serves several: what is sealed for one purpose opens for no
 * other, and a key does not reveal the secret. The id is drawn too, so that it follows the key and says
 * nothing about it. `former` is how the secret sealed before keys had ids.
 */
export function drawKeys(
  purpose: string,
  { current, previous }: Secrets,
  former: (secret: string) => SealingKey[],
): SealingKeys {
  return {
    current: drawKey(purpose, current),
    previous: [
      ...former(current),
      ...(previous === undefined || previous === current
        ? []
        : [drawKey(purpose, previous), ...former(previous)]),
    ],
  }
}

export function drawKey(purpose: string, secret: string): SealingKey {
  const id = Buffer.from(hkdfSync('sha256', secret, '', `id of ${purpose}`, 6)).toString('hex')
  return { id, key: new Uint8Array(hkdfSync('sha256', secret, '', purpose, 32)) }
}
