import { createHash } from 'node:crypto'
import { checksumAddress } from '@agent-marketplace/chain'
import { AppError } from '@agent-marketplace/contract'
import type { CdpClient } from '@coinbase/cdp-sdk'
import { explainCdpFailure, refusalOf, unreadable, withDeadline } from './cdp-failure.ts'
import { type CdpRules, policyRulesOf, rulesWithConsent } from './cdp-policy.ts'
import { consentTypedData } from './consent.ts'
import type { Custody, TokenDomain, WalletLimits, WalletsPort } from './port.ts'
import { admitTransfer } from './transfer-rules.ts'

export interface CdpOptions {
  apiKeyId: string
  apiKeySecret: string
  walletSecret: string
  token: TokenDomain
  /** Default: Coinbase's own. */
  url?: string | undefined
  /** Of each request. */
  timeoutMs?: number
}

interface CdpAccount {
  address: `0x${string}`
  policyIds: readonly string[]
}

const custody: Custody = {
  kind: 'cdp',
  isTee: true,
  statement:
    'Keys are made and used inside the trusted execution environment of Coinbase Developer Platform and never leave it. A policy there lets each wallet sign USDC transfers to its owner’s wallet, within its limit, its agreement to be named as its agent’s wallet in the identity registry, and nothing else.',
}

/**
 * Wallets held by Coinbase Developer Platform. An account is created together with its policy, so there is no moment at
 * which it could sign freely. The SDK keeps its settings in its module: one set of credentials per process.
 */
export async function createCdpWallets({
  token,
  timeoutMs = 5_000,
  ...credentials
}: CdpOptions): Promise<WalletsPort> {
  const cdp = await openClient(credentials)

  const ask = async <T>(call: () => Promise<T>): Promise<T> => {
    try {
      return await withDeadline(call(), timeoutMs)
    } catch (error) {
      throw explainCdpFailure(error)
    }
  }

  const findAccount = (key: { name: string } | { address: `0x${string}` }) =>
    ask(async () => {
      try {
        return readAccount(await cdp.evm.getAccount(key))
      } catch (error) {
        if (refusalOf(error)?.type === 'not_found') return undefined
        throw error
      }
    })

  /** The key is made of the content: repeated after a crash, CDP returns the policy of the first time. */
  const createPolicy = async (owner: string, rules: CdpRules): Promise<string> => {
    const { id } = await ask(() =>
      cdp.policies.createPolicy({
        policy: { scope: 'account', description: 'Agent wallet, USDC transfers only', rules },
        idempotencyKey: uuidOf(JSON.stringify([owner, rules])),
      }),
    )
    if (typeof id !== 'string') throw unreadable('policy id')
    return id
  }

  /** Undefined when another process made the account first. */
  const createAccount = (name: string, accountPolicy: string) =>
    ask(async () => {
      try {
        return readAccount(await cdp.evm.createAccount({ name, accountPolicy }))
      } catch (error) {
        if (refusalOf(error)?.status === 409) return undefined
        throw error
      }
    })

  /** The list also names the policy of the whole project, which is not ours to change. */
  const findPolicy = async ({ policyIds }: CdpAccount) => {
    for (const id of policyIds) {
      const policy = await ask(() => cdp.policies.getPolicyById({ id }))
      if (policy.scope === 'account') return policy
    }
    return undefined
  }

  const applyLimits = async (account: CdpAccount, limits: WalletLimits): Promise<void> => {
    const rules = policyRulesOf(token, limits)
    const policy = await findPolicy(account)
    if (policy) {
      await ask(() => cdp.policies.updatePolicy({ id: policy.id, policy: { rules } }))
      return
    }
    const { address } = account
    const accountPolicy = await createPolicy(address, rules)
    await ask(() => cdp.evm.updateAccount({ address, update: { accountPolicy } }))
  }

  /** Accounts from before keep their limits and learn this one thing more. */
  const admitConsent = async (account: CdpAccount): Promise<void> => {
    const policy = await findPolicy(account)
    const rules = policy && rulesWithConsent(token, policy.rules as CdpRules)
    if (policy && rules) await ask(() => cdp.policies.updatePolicy({ id: policy.id, policy: { rules } }))
  }

  const sign = async (order: Parameters<CdpClient['evm']['signTypedData']>[0]): Promise<`0x${string}`> => {
    const response = await ask(async () => {
      try {
        return await cdp.evm.signTypedData(order)
      } catch (error) {
        throw refusalOf(error)?.type === 'not_found' ? unknownWallet() : error
      }
    })
    if (!/^0x[0-9a-fA-F]{130}$/.test(String(response.signature))) throw unreadable('signature')
    return response.signature
  }

  return {
    custody,

    async provision({ agentId, limits }) {
      const name = accountNameOf(agentId)
      const existing = await findAccount({ name })
      if (existing !== undefined) {
        await applyLimits(existing, limits)
        return walletOf(existing)
      }
      const policyId = await createPolicy(name, policyRulesOf(token, limits))
      const created = (await createAccount(name, policyId)) ?? (await findAccount({ name }))
      if (created === undefined) throw unreadable('account')
      if (!created.policyIds.includes(policyId)) await applyLimits(created, limits)
      return walletOf(created)
    },

    async updateLimits({ walletId, limits }) {
      const account = await findAccount({ address: addressOf(walletId) })
      if (account === undefined) throw unknownWallet()
      await applyLimits(account, limits)
    },

    async signTransfer({ walletId, authorization }) {
      const address = addressOf(walletId)
      // The limit is in the account's policy, where this process cannot lift it by mistake.
      const typedData = admitTransfer({ token, wallet: { address, limits: {} }, authorization })
      return sign({
        address,
        domain: typedData.domain,
        types: { TransferWithAuthorization: [...typedData.types.TransferWithAuthorization] },
        primaryType: typedData.primaryType,
        message: typedData.message,
      })
    },

    async signConsent({ walletId, consent }) {
      const address = addressOf(walletId)
      const account = await findAccount({ address })
      if (account === undefined) throw unknownWallet()
      await admitConsent(account)
      const { domain, types, primaryType, message } = consentTypedData(token, address, consent)
      return sign({
        address,
        domain,
        types: { AgentWalletSet: [...types.AgentWalletSet] },
        primaryType,
        message,
      })
    },
  }
}

/** Loaded only here, because it is large and the sandbox never needs it. */
async function openClient({ url, ...credentials }: Omit<CdpOptions, 'token'>): Promise<CdpClient> {
  // The SDK reports errors and usage to Coinbase unless these are set; it offers no option for it.
  process.env.DISABLE_CDP_ERROR_REPORTING = 'true'
  process.env.DISABLE_CDP_USAGE_TRACKING = 'true'
  const { CdpClient } = await import('@coinbase/cdp-sdk')
  return new CdpClient({ ...credentials, ...(url === undefined ? {} : { basePath: url }) })
}

function readAccount({ address, policies }: { address: unknown; policies?: unknown }): CdpAccount {
  if (typeof address !== 'string' || !addressPattern.test(address)) throw unreadable('address')
  const policyIds = Array.isArray(policies) ? policies.filter((id) => typeof id === 'string') : []
  return { address: checksumAddress(address), policyIds }
}

/** CDP knows an account by its address, so that is the wallet's id too. */
function walletOf({ address }: CdpAccount) {
  return { walletId: address, address }
}

const addressPattern = /^0x[0-9a-fA-F]{40}$/

function addressOf(walletId: string): `0x${string}` {
  if (!addressPattern.test(walletId)) throw unknownWallet()
  return checksumAddress(walletId)
}

/** The SDK puts the name into the path as it is, so nothing but a plain word may become one. */
function accountNameOf(agentId: string): string {
  if (!/^[A-Za-z0-9]{1,30}$/.test(agentId)) throw new TypeError('An agent id is 1 to 30 letters and digits')
  return `agent-${agentId}`
}

/** CDP takes only version 4 UUIDs as idempotency keys. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

function unknownWallet(): AppError<'NOT_FOUND'> {
  return new AppError('NOT_FOUND', { message: 'There is no such wallet.' })
}
