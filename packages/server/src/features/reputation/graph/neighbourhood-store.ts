import type { Queryable } from '../../../platform/db/queryable.ts'
import { sql } from '../../../platform/db/sql.ts'
import { isPaidOut } from '../paid-out.ts'
import { PUBLIC_COVERS_PERCENT, PUBLIC_FROM_SELLERS, PUBLIC_PAID_MICRO } from './connections.ts'

/** Money between two wallets, in all. */
export interface WalletFlow {
  from: string
  to: string
  amountMicro: bigint
}

const sums = sql`from_wallet as "from", to_wallet as "to", sum(amount_micro) as "amountMicro"`

export function listFlowsTo(db: Queryable, wallets: readonly string[]): Promise<WalletFlow[]> {
  return db.rows(sql`
    select ${sums} from wallet_flows where to_wallet = any(${wallets}::text[]) group by from_wallet, to_wallet`)
}

export function listFlowsFrom(db: Queryable, wallets: readonly string[]): Promise<WalletFlow[]> {
  return db.rows(sql`
    select ${sums} from wallet_flows where from_wallet = any(${wallets}::text[]) group by from_wallet, to_wallet`)
}

export function listFlowsBetween(
  db: Queryable,
  from: readonly string[],
  to: readonly string[],
): Promise<WalletFlow[]> {
  return db.rows(sql`
    select ${sums} from wallet_flows
    where from_wallet = any(${from}::text[]) and to_wallet = any(${to}::text[]) group by from_wallet, to_wallet`)
}

export interface Transfer extends WalletFlow {
  at: Date
  /** The job that the service refunded with it. */
  refundOf: string | null
}

/** Each single transfer from a seller to these wallets, the oldest first. */
export function listTransfers(
  db: Queryable,
  { sellerId, from, to }: { sellerId: string; from: readonly string[]; to: readonly string[] },
): Promise<Transfer[]> {
  return db.rows(sql`
    select f.from_wallet as "from", f.to_wallet as "to", f.amount_micro, f.at, j.id as "refundOf"
    from wallet_flows f
      left join jobs j on j.seller_id = ${sellerId} and j.refund_state = 'CONFIRMED' and j.refund_tx_hash = f.tx_hash
    where f.from_wallet = any(${from}::text[]) and f.to_wallet = any(${to}::text[])
    order by f.at, f.tx_hash, f.log_index`)
}

/** What the escrow paid out, from owner to owner. */
export function listEscrowPay(
  db: Queryable,
  { clients, sellers }: { clients: readonly string[]; sellers: readonly string[] },
): Promise<WalletFlow[]> {
  return db.rows(sql`
    select client_id as "from", seller_id as "to", sum((escrow_facts ->> 'sellerGross')::numeric) as "amountMicro"
    from jobs
    where (client_id = any(${clients}::text[]) or seller_id = any(${sellers}::text[]))
      and payment_method = 'ESCROW' and escrow_facts ->> 'sellerGross' is not null
      and escrow_facts ->> 'sellerGross' <> '0' and client_id <> seller_id
    group by client_id, seller_id`)
}

export interface KnownWallet {
  wallet: string
  ownerId: string
  isAgent: boolean
}

/** Whose wallets these are, as far as we know. */
export function listOwnersOf(db: Queryable, wallets: readonly string[]): Promise<KnownWallet[]> {
  return db.rows(sql`
    select lower(wallet_address) as wallet, id as "ownerId", false as "isAgent" from owners
    where lower(wallet_address) = any(${wallets}::text[])
    union all
    select lower(wallet_address), owner_id, true from agents where lower(wallet_address) = any(${wallets}::text[])`)
}

/** All wallets of these owners: their own and their agents'. */
export function listWalletsOf(db: Queryable, ownerIds: readonly string[]): Promise<KnownWallet[]> {
  return db.rows(sql`
    select lower(wallet_address) as wallet, id as "ownerId", false as "isAgent" from owners
    where id = any(${ownerIds}::text[])
    union all
    select lower(wallet_address), owner_id, true from agents where owner_id = any(${ownerIds}::text[])`)
}

export async function listPublic(db: Queryable, wallets: readonly string[]): Promise<string[]> {
  const rows = await db.rows<{ wallet: string }>(
    sql`select wallet from public_wallets where wallet = any(${wallets}::text[])`,
  )
  return rows.map(({ wallet }) => wallet)
}

/** Keeps those whose money paid so many sellers, as `PUBLIC_FROM_SELLERS` says, and has everybody around them scored again. */
export async function discoverPublic(tx: Queryable, wallets: readonly string[]): Promise<number> {
  return tx.run(sql`
    with funded as (
      select f.from_wallet as wallet, o.id as client_id, sum(f.amount_micro) as amount
      from wallet_flows f join owners o on lower(o.wallet_address) = f.to_wallet
      where f.from_wallet = any(${wallets}::text[])
        and not exists (select 1 from public_wallets p where p.wallet = f.from_wallet)
        and not exists (select 1 from owners own where lower(own.wallet_address) = f.from_wallet)
        and not exists (select 1 from agents own where lower(own.wallet_address) = f.from_wallet)
      group by f.from_wallet, o.id
    ), paid as (
      select j.client_id, j.seller_id, sum(j.price_micro) as amount, sum(sum(j.price_micro)) over (partition by j.client_id) as total
      from jobs j
      where j.client_id in (select client_id from funded) and j.counts and ${isPaidOut}
      group by j.client_id, j.seller_id
    ), reached as (
      select funded.wallet, paid.seller_id from funded join paid using (client_id)
      where funded.amount * 100 >= paid.total * ${PUBLIC_COVERS_PERCENT}::bigint
      group by funded.wallet, paid.seller_id having sum(paid.amount) >= ${PUBLIC_PAID_MICRO}
    ), found as (
      insert into public_wallets (wallet)
      select wallet from reached group by wallet having count(*) >= ${PUBLIC_FROM_SELLERS}
      on conflict do nothing
      returning wallet
    )
    select score_around(wallet) from found`)
}
