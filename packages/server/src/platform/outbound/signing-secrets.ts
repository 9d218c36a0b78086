import { AppError } from '@agent-marketplace/contract'
import type { Sealer } from '../sealing/sealer.ts'

export const OLD_SECRET_SECONDS = 24 * 3600

/** The secrets of a receiver, sealed under its id. */
export interface SealedSecrets {
  id: string
  sealedSecret: string
  /** The one before it signs as well for a while, so that a receiver can change over. */
  sealedOldSecret: string | null
  oldSecretUntil: Date | null
}

/** Undefined when the secret was sealed under a key that is gone. A kept old secret that cannot be opened is passed over. */
export function openSecrets(
  { id, sealedSecret, sealedOldSecret, oldSecretUntil }: SealedSecrets,
  sealer: Sealer,
  now: Date,
): string[] | undefined {
  const open = (sealed: string): string | undefined => {
    try {
      return sealer.open(sealed, id).toString('utf8')
    } catch {
      return undefined
    }
  }
  const secret = open(sealedSecret)
  if (secret === undefined) return undefined
  const isOldValid = sealedOldSecret !== null && oldSecretUntil !== null && oldSecretUntil > now
  const old = isOldValid ? open(sealedOldSecret) : undefined
  return old === undefined ? [secret] : [secret, old]
}

/** For the response that shows a secret because it is new: also when that response is repeated, after a change of keys. */
export function openNewSecret(sealedSecret: string, id: string, sealer: Sealer): string {
  try {
    return sealer.open(sealedSecret, id).toString('utf8')
  } catch (cause) {
    throw new AppError('CONFLICT', { message: 'The secret can no longer be read. Rotate it.', cause })
  }
}
