import type { KycStatus, Owner } from '@agent-marketplace/contract'
import { type OwnerRow, presentEntity, presentOwner } from '../../house/owner-record.ts'
import type { KnownSeller } from '../../house/sellers.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { NewId } from '../../platform/id/id.ts'
import { createKycLinks } from './kyc-link.ts'
import { changeKycStatus } from './kyc-status.ts'
import { findToldSession } from './kyc-store.ts'
import { knownSellerOf, type Profile } from './present.ts'
import { createRegistration, type RegistrationDeps } from './registration.ts'
import { rejectionReasonOf } from './rules.ts'
import { sealPlainDetails } from './sealed-details.ts'
import {
  findOrCreateOwner,
  findOwner,
  findOwnerByWallet,
  findOwners,
  lockOwnerRow,
  saveKycFeePaid,
} from './store.ts'
import { createVerification, type VerificationDeps } from './verification.ts'

/**
 * Owners and their verification. It promises: a wallet is one owner; nobody becomes VERIFIED by their own request, only
 * by the provider's signed word; every change of the status is stored, sent to the owner and effective for the next request.
 */
export interface OwnersDeps extends RegistrationDeps, VerificationDeps {
  newId: NewId
  isAdminWallet: (walletAddress: string) => boolean
}

/** An owner as sign-in sees them. */
export interface Account {
  owner: Owner
  /** Empty before registration. */
  entityName: string
}

export function createOwnersService(deps: OwnersDeps) {
  const { db, clock, newId } = deps
  const verification = createVerification(deps)
  const kycLinkOf = createKycLinks(deps)

  const isAdmin = (row: OwnerRow) => deps.isAdminWallet(row.walletAddress)
  const accountOf = (row: OwnerRow): Account => ({
    owner: presentOwner(row, isAdmin(row)),
    entityName: row.entityName ?? '',
  })

  return {
    accounts: {
      async findOrCreate(queryable: Queryable, walletAddress: string): Promise<Account> {
        return accountOf(await findOrCreateOwner(queryable, { id: newId(), walletAddress, now: clock.now() }))
      },
      async find(queryable: Queryable, ownerId: string): Promise<Account> {
        return accountOf(await findOwner(queryable, ownerId))
      },
    },

    /** Who has the link to the verification can finish it as somebody else, so programs do not get it. */
    async profileOf(ownerId: string, { isPerson }: { isPerson: boolean }): Promise<Profile> {
      const [row, session] = await Promise.all([findOwner(db, ownerId), findToldSession(db, ownerId)])
      const isOpen = isPerson && row.kycStatus === 'IN_REVIEW'
      const kycUrl = session && isOpen ? await kycLinkOf(session) : null
      const kycRejectionReason = rejectionReasonOf(row.kycStatus, session)
      return {
        owner: presentOwner(row, isAdmin(row)),
        entity: presentEntity(row, isAdmin(row)),
        kycUrl,
        kycRejectionReason,
      }
    },

    /** For other features. */
    /** The owner that signs in with this wallet, in any letter case. */
    ownerIdOf: async (queryable: Queryable, wallet: string): Promise<string | undefined> =>
      (await findOwnerByWallet(queryable, wallet))?.id,
    walletOf: async (queryable: Queryable, ownerId: string): Promise<string> =>
      (await findOwner(queryable, ownerId)).walletAddress,
    /** What is public about sellers, by owner. */
    async sellersOf(queryable: Queryable, ownerIds: readonly string[]): Promise<Map<string, KnownSeller>> {
      const rows = await findOwners(queryable, ownerIds)
      return new Map(rows.map((row) => [row.id, knownSellerOf(row)]))
    },
    /** The same for as long as `sellersOf` returns the same for this owner. */
    sellerVersion: (ownerId: Sql): Sql =>
      sql`(select owners.xmin::text from owners where owners.id = ${ownerId})`,
    async sellerByWallet(
      queryable: Queryable,
      wallet: string,
    ): Promise<(KnownSeller & { ownerId: string }) | undefined> {
      const row = await findOwnerByWallet(queryable, wallet)
      return row && { ownerId: row.id, ...knownSellerOf(row) }
    },

    register: createRegistration(deps),
    receiveKycWebhook: verification.receiveWebhook,
    findKycApplicant: verification.findApplicant,

    async sealPlainDetails(signal: AbortSignal): Promise<void> {
      await sealPlainDetails(db, deps.sealer, signal)
    },

    /** Sets the verification by hand, past the provider; only the sandbox offers this. */
    async setKyc(
      tx: Transaction,
      ownerId: string,
      kyc: { status?: KycStatus | undefined; feePaid?: boolean | undefined },
    ): Promise<Owner> {
      let row = await lockOwnerRow(tx, ownerId)
      if (kyc.feePaid !== undefined && kyc.feePaid !== row.kycFeePaid) {
        row = await saveKycFeePaid(tx, ownerId, kyc.feePaid)
        tx.afterCommit(() => deps.forgetOwner(ownerId))
      }
      if (kyc.status !== undefined) row = await changeKycStatus(tx, deps, row, { to: kyc.status })
      return presentOwner(row, isAdmin(row))
    },
  }
}

export type OwnersService = ReturnType<typeof createOwnersService>
