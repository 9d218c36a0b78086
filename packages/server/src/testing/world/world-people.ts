import type { AccountStatus, CustomOrders, KycStatus } from '@agent-marketplace/contract'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { App } from '../../app.ts'
import type { AppDeps } from '../../house/outside.ts'
import { sql } from '../../platform/db/sql.ts'
import { createIdSource } from '../../platform/id/id.ts'
import { newWallet, signIn } from '../sign-in.ts'
import { createWorldPlans } from './world-plans.ts'

export interface WorldOwner {
  ownerId: string
  /** The key that signs. */
  wallet: PrivateKeyAccount
  headers: { authorization: string }
}

export interface NewOwner {
  wallet?: PrivateKeyAccount
  /** The owner is a smart account, and `wallet` only its key. */
  address?: string
  kycStatus?: KycStatus
  kycFeePaid?: boolean
  accountStatus?: AccountStatus
}

export interface WorldAgent {
  id: string
  wallet: string
  walletId: string
  owner: WorldOwner
}

export interface NewAgent {
  name?: string
  approval?: string
  pausedBy?: string
  customOrders?: CustomOrders
  /** In micro-units, with their delivery times in hours. */
  services?: { id: string; priceMicro: string; deliveryHours: number }[]
  perTxLimitMicro?: bigint
  sessionCapMicro?: bigint
}

/** Owners and agents that others have taken through registration already. */
export function createWorldPeople({ app, deps }: { app: App; deps: AppDeps }) {
  const { db, clock, wallets } = deps
  const newId = createIdSource(deps.wallClock)

  return {
    newId,
    ...createWorldPlans({ db, clock, newId }),

    /** Signs a new wallet in; what takes others days, such as a check of identity, is stored before the first request. */
    async newOwner({ wallet = newWallet(), ...facts }: NewOwner = {}): Promise<WorldOwner> {
      const { ownerId, bearer } = await signIn(app.http, wallet)
      if (Object.keys(facts).length > 0)
        await db.run(sql`
          update owners set wallet_address = coalesce(${facts.address ?? null}, wallet_address),
            kyc_status = coalesce(${facts.kycStatus ?? null}, kyc_status),
            kyc_fee_paid = coalesce(${facts.kycFeePaid ?? null}, kyc_fee_paid),
            account_status = coalesce(${facts.accountStatus ?? null}, account_status)
          where id = ${ownerId}`)
      return { ownerId, wallet, headers: bearer }
    },

    /** An approved agent with a wallet that the service signs for and follows. It is in no registry: creation has tests of its own. */
    async newAgent(owner: WorldOwner, state: NewAgent = {}): Promise<WorldAgent> {
      const id = newId()
      const { address: wallet, walletId } = await wallets.provision({ agentId: id, limits: {} })
      const services = (state.services ?? []).map((service) => ({
        ...service,
        name: service.id,
        x402Enabled: true,
      }))
      await db.transaction(async (tx) => {
        await app.money.watch(tx, wallet)
        await tx.run(sql`
          insert into agents (id, owner_id, wallet_address, provider_wallet_id, name, description, category, category_key,
            skills, skill_keys, services, lowest_price_micro, x402_enabled, owner_active, approval_status, paused_by,
            custom_orders, per_tx_limit_micro, session_cap_micro, created_at)
          values (${id}, ${owner.ownerId}, ${wallet}, ${walletId}, ${state.name ?? 'Ledger Lark'}, 'Reconciles.', 'finance',
            'finance', '{}', '{}', ${sql.json(services)}, 0, true, true, ${state.approval ?? 'APPROVED'},
            ${state.pausedBy ?? null}, ${state.customOrders ?? 'INSTANT'}, ${state.perTxLimitMicro ?? null},
            ${state.sessionCapMicro ?? null}, ${clock.now()})`)
      })
      return { id, wallet, walletId, owner }
    },

    /** What an owner was notified of, oldest first. */
    notificationsOf: (ownerId: string) =>
      db.rows<{ type: string; message: string }>(
        sql`select type, message from notifications where owner_id = ${ownerId} order by seq`,
      ),
  }
}
