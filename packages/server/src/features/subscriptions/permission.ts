import { invalidField, SpendPermission as SignedPermission } from '@agent-marketplace/contract'
import { Compile } from 'typebox/compile'
import type { Hex, SpendPermission } from '../../ports/chain/port.ts'

const MAX_UINT256 = 2n ** 256n - 1n
const stored = Compile(SignedPermission)

/** The signed object as the chain counts it. What the schema cannot say about bytes and numbers is checked here. */
export function readPermission(
  given: SignedPermission,
  checksumAddress: (address: string) => Hex,
): SpendPermission {
  const salt = BigInt(given.salt)
  if (salt > MAX_UINT256) throw invalidField('permission.salt', 'must fit into 256 bits')
  return {
    account: checksumAddress(given.account),
    spender: checksumAddress(given.spender),
    token: checksumAddress(given.token),
    allowance: BigInt(given.allowance),
    period: given.period,
    start: given.start,
    end: given.end,
    salt,
    extraData: readBytes('permission.extraData', given.extraData),
  }
}

export function readBytes(path: string, text: string): Hex {
  if (text.length % 2 !== 0) throw invalidField(path, 'must have two hex digits for each byte')
  return `0x${text.slice(2).toLowerCase()}`
}

/** The reverse, for responses and storage. */
export function writePermission(permission: SpendPermission): SignedPermission {
  const { allowance, salt, ...rest } = permission
  return { ...rest, allowance: allowance.toString(), salt: salt.toString() }
}

export function readStoredPermission(
  json: unknown,
  checksumAddress: (address: string) => Hex,
): SpendPermission {
  if (!stored.Check(json)) throw new TypeError('a stored spend permission is not one')
  return readPermission(json, checksumAddress)
}
