import type { KycStatus } from '@agent-marketplace/contract'
import { type OwnerRow, ownerColumns } from '../../house/owner-record.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Registration } from './rules.ts'

/** The owner of a wallet; made when the wallet signs in for the first time. */
export async function findOrCreateOwner(
  db: Queryable,
  owner: { id: string; walletAddress: string; now: Date },
): Promise<OwnerRow> {
  await db.run(sql`
    insert into owners (id, wallet_address, created_at) values (${owner.id}, ${owner.walletAddress}, ${owner.now})
    on conflict (lower(wallet_address)) do nothing`)
  return db.one(
    sql`select ${ownerColumns} from owners where lower(wallet_address) = lower(${owner.walletAddress})`,
  )
}

export function findOwnerByWallet(db: Queryable, wallet: string): Promise<OwnerRow | undefined> {
  return db.maybeOne(sql`select ${ownerColumns} from owners where lower(wallet_address) = lower(${wallet})`)
}

export function findOwner(db: Queryable, ownerId: string): Promise<OwnerRow> {
  return db.one(sql`select ${ownerColumns} from owners where id = ${ownerId}`)
}

export function findOwners(db: Queryable, ownerIds: readonly string[]): Promise<OwnerRow[]> {
  return db.rows(sql`select ${ownerColumns} from owners where id = any(${ownerIds})`)
}

/** Reads the owner and keeps other changes of this row waiting. Rows that merely refer to the owner do not wait. */
export function lockOwnerRow(tx: Queryable, ownerId: string): Promise<OwnerRow> {
  return tx.one(sql`select ${ownerColumns} from owners where id = ${ownerId} for no key update`)
}

/** The columns in plain are those of older versions: emptied, so that nothing left there counts as newer. */
export function saveRegistration(
  db: Queryable,
  ownerId: string,
  registration: Pick<Registration, 'entityType' | 'entityName' | 'email'> & { sealedDetails: string },
): Promise<OwnerRow> {
  return db.one(sql`
    update owners set
      entity_type = ${registration.entityType},
      entity_name = ${registration.entityName},
      email = ${registration.email},
      sealed_details = ${registration.sealedDetails},
      legal_address = null, city = null, state = null, postal_code = null, country = null, phone_number = null,
      ein = null
    where id = ${ownerId}
    returning ${ownerColumns}`)
}

export async function saveIdentity(
  db: Queryable,
  ownerId: string,
  { entityType, entityName }: { entityType: string; entityName: string },
): Promise<void> {
  await db.run(sql`
    update owners set entity_type = ${entityType}, entity_name = ${entityName} where id = ${ownerId}`)
}

export function saveKycStatus(db: Queryable, ownerId: string, status: KycStatus): Promise<OwnerRow> {
  return db.one(sql`update owners set kyc_status = ${status} where id = ${ownerId} returning ${ownerColumns}`)
}

export function saveKycFeePaid(db: Queryable, ownerId: string, isPaid: boolean): Promise<OwnerRow> {
  return db.one(
    sql`update owners set kyc_fee_paid = ${isPaid} where id = ${ownerId} returning ${ownerColumns}`,
  )
}
