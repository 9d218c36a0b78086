import { type PreparedCall, prepareTransfer, type TransactionSigner } from '@agent-marketplace/chain'
import { priceForQuota, type SpendPermission, type SubscriptionPlan } from '@agent-marketplace/contract'
import { type Address, type Hex, maxUint48 } from 'viem'
import { toCoinbaseSmartAccount } from 'viem/account-abstraction'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { ChaosChain } from '../../../money/testing/chaos-chain.ts'
import { readPermission } from '../permission.ts'

export const DAY = 24 * 3600
export const PERIOD = 30 * DAY

export interface SubscribeBody {
  plan: SubscriptionPlan
  agentQuota?: number
  permission: SpendPermission
  signature: Hex
}

interface SubscribersDeps<Owner> {
  chaos: ChaosChain
  execute: (from: TransactionSigner, call: PreparedCall) => Promise<unknown>
  newOwner: (key: PrivateKeyAccount) => Promise<Owner>
}

/** Owners with smart accounts as wallets make them, and the permissions that they sign. */
export async function createSubscribers<Owner extends object>({
  chaos,
  execute,
  newOwner,
}: SubscribersDeps<Owner>) {
  const { chain, client } = chaos
  const manager = chaos.addresses.spendPermissionManager
  let owners = 0
  let salts = 0

  // The faucet counts its nonces itself, so it gives once, to a bank.
  const bank = privateKeyToAccount(`0x${'b4'.repeat(32)}`)
  await chaos.faucet({ address: bank.address, amountMicro: 10n ** 15n })
  const fund = (to: Address, amountMicro: bigint) =>
    execute(bank, prepareTransfer({ usdc: chaos.addresses.usdc, to, amountMicro }))

  const permissionOf = (account: string, changes: Partial<SpendPermission> = {}): SpendPermission => {
    salts += 1
    return {
      account,
      spender: chain.facts.spender,
      token: chain.facts.contracts.usdc,
      allowance: priceForQuota(10).toString(),
      period: PERIOD,
      start: chaos.now(),
      end: Number(maxUint48),
      salt: String(salts),
      extraData: '0x',
      ...changes,
    }
  }

  return {
    manager,
    fund,
    permissionOf,

    /** An owner signed in with a plain wallet who owns a smart account, not deployed yet, with this much in it. */
    async newSubscriber(balanceMicro = 1_000_000_000n, { isPullable = true } = {}) {
      owners += 1
      const key = privateKeyToAccount(`0x${(0xfade_0000n + BigInt(owners)).toString(16).padStart(64, '0')}`)
      const account = await toCoinbaseSmartAccount({
        client,
        owners: isPullable ? [key, manager] : [key],
        version: '1.1',
      })
      if (balanceMicro > 0n) await fund(account.address, balanceMicro)
      const owner = await newOwner(key)
      const sign = (permission: SpendPermission): Promise<Hex> => {
        const { types, ...typedData } = chain.spendPermissions.typedDataOf(
          readPermission(permission, chain.checksumAddress),
        )
        const { EIP712Domain: _domain, ...own } = types
        return account.signTypedData({ ...typedData, types: own })
      }
      return {
        ...owner,
        key,
        account,
        sign,
        /** A signed body, ready to post. */
        async body(
          changes: Partial<SpendPermission> = {},
          { plan = 'AGENT_QUOTA', agentQuota = 10 }: { plan?: SubscriptionPlan; agentQuota?: number } = {},
        ): Promise<SubscribeBody> {
          const permission = permissionOf(account.address, changes)
          const quota = plan === 'AGENT_QUOTA' ? { agentQuota } : {}
          return { plan, ...quota, permission, signature: await sign(permission) }
        },
      }
    },
  }
}
