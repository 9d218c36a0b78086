import { AppError, formatMicro, invalidField } from '@agent-marketplace/contract'
import type { Hex, SpendPermission } from '../../ports/chain/port.ts'
import type { SubscriptionsDeps } from './deps.ts'
import { isSameAddress } from './rules.ts'

interface Signed {
  permission: SpendPermission
  signature: Hex
}

type Chain = SubscriptionsDeps['chain']

/** Whether the account is the caller's, can be pulled from, and has signed this. */
export async function checkAccount(chain: Chain, signed: Signed, wallet: string): Promise<void> {
  const { permission, signature } = signed
  const { account } = permission
  const calls = chain.spendPermissions
  if ((await calls.accountKindOf({ account, signature })) === 'keyOnly') {
    throw invalidField(
      'permission.account',
      'is a plain wallet, which nobody can pull from: use a smart wallet that has the SpendPermissionManager among its owners',
    )
  }
  const isOwn = isSameAddress(account, wallet) || (await calls.hasOwner({ ...signed, owner: wallet }))
  // Of an account that only its signature would deploy, a bad signature proves nothing.
  if (!(await calls.isSigned(signed)))
    throw invalidField('signature', 'is not the account’s for this permission')
  if (!isOwn) {
    throw invalidField('permission.account', 'must be your own wallet, or a smart wallet that you own')
  }
  const manager = chain.facts.contracts.spendPermissionManager
  if (!(await calls.hasOwner({ ...signed, owner: manager }))) {
    throw invalidField(
      'permission.account',
      `could not be pulled from: add the SpendPermissionManager ${manager} to its owners`,
    )
  }
  if (await calls.isRevoked(permission)) throw invalidField('permission', 'is revoked: sign a new one')
}

/** Tries the pull before anything is signed or stored. */
export async function checkFunds(chain: Chain, signed: Signed, amountMicro: bigint): Promise<void> {
  const { account } = signed.permission
  if ((await readBalance(chain, account)) < amountMicro) throw await insufficient(chain, account, amountMicro)
  const refusal = await chain.spendPermissions.trySpend({ ...signed, amountMicro })
  // The chain's clock may be a few seconds behind ours; the pull itself waits for it.
  if (refusal === undefined || refusal === 'BeforeSpendPermissionStart') return
  throw await insufficient(chain, account, amountMicro, refusal)
}

export async function insufficient(
  chain: Chain,
  account: string,
  amountMicro: bigint,
  reason?: string,
): Promise<AppError> {
  const availableMicro = await readBalance(chain, account)
  const isShort = availableMicro < amountMicro
  return new AppError('INSUFFICIENT_BALANCE', {
    message: isShort
      ? 'The paying wallet does not hold enough USDC. Nothing was charged.'
      : 'The chain refuses to pull from the paying wallet. Nothing was charged.',
    details: {
      available: formatMicro(availableMicro),
      required: formatMicro(amountMicro),
      ...(isShort || reason === undefined ? {} : { reason }),
    },
  })
}

async function readBalance(chain: Chain, account: string): Promise<bigint> {
  try {
    return await chain.usdc.balanceOf(account)
  } catch (cause) {
    throw new AppError('UNAVAILABLE', { message: 'The chain is not responding right now.', cause })
  }
}
