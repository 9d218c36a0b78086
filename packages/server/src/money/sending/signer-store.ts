import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { Hex } from '../../ports/chain/port.ts'

export interface Signer {
  chainId: number
  address: Hex
}

/** Known signers keep their nonce; a new one starts where the chain is. */
export async function introduceSigner(db: Queryable, signer: Signer, nonce: number): Promise<void> {
  await db.run(sql`
    insert into chain_signers (chain_id, address, next_nonce) values (${signer.chainId}, ${signer.address}, ${nonce})
    on conflict do nothing`)
}

export async function lockSigner(tx: Transaction, { chainId, address }: Signer): Promise<void> {
  await tx.run(
    sql`select 1 from chain_signers where chain_id = ${chainId} and address = ${address} for update`,
  )
}

/**
 * Whether our count of nonces may go on. A node that names a higher one says that somebody else used our key, or it is
 * wrong: a nonce that is stepped over and not used holds up everything after it. So it is believed, and the count moved,
 * only when that many responses agree, each at a later block.
 */
export async function agreeOnNonce(
  db: Queryable,
  { chainId, address }: Signer,
  { minedNonce, block, agreeingResponses }: { minedNonce: number; block: bigint; agreeingResponses: number },
): Promise<boolean> {
  const row = await db.one<{ isAgreed: boolean }>(sql`
    with known as (
      select *, next_nonce >= ${minedNonce} as agrees,
        case when claimed_block is null then 1 when claimed_block < ${block} then claimed_looks + 1
          else claimed_looks end as looks
      from chain_signers where chain_id = ${chainId} and address = ${address} for update
    ), moved as (
      update chain_signers s set
        next_nonce = case when not k.agrees and k.looks >= ${agreeingResponses}
          then least(coalesce(k.claimed_nonce, ${minedNonce}), ${minedNonce}) else s.next_nonce end,
        claimed_nonce = case when k.agrees or k.looks >= ${agreeingResponses} then null
          else least(coalesce(k.claimed_nonce, ${minedNonce}), ${minedNonce}) end,
        claimed_block = case when k.agrees or k.looks >= ${agreeingResponses} then null
          else greatest(coalesce(k.claimed_block, ${block}), ${block}) end,
        claimed_looks = case when k.agrees or k.looks >= ${agreeingResponses} then 0 else k.looks end
      from known k
      where s.chain_id = k.chain_id and s.address = k.address and (not k.agrees or k.claimed_block is not null)
    )
    select agrees or looks >= ${agreeingResponses} as "isAgreed" from known`)
  return row.isAgreed
}

export async function isSignerKnown(db: Queryable, { chainId, address }: Signer): Promise<boolean> {
  const row = await db.maybeOne(
    sql`select 1 as known from chain_signers where chain_id = ${chainId} and address = ${address}`,
  )
  return row !== undefined
}

/**
 * Locks the sender until the transaction ends: nobody else gives out its nonces meanwhile. Marks those of the claimed
 * intents that are still this worker's, and now go out.
 */
export async function takeNonces(
  tx: Transaction,
  { chainId, address }: Signer,
  { ids, token }: { ids: string[]; token: bigint },
): Promise<{ nextNonce: number; mine: Set<string> }> {
  const { nextNonce, mine } = await tx.one<{ nextNonce: bigint; mine: string[] }>(sql`
    with signer as (
      select next_nonce from chain_signers where chain_id = ${chainId} and address = ${address} for update
    ), submitted as (
      update intents set status = 'SUBMITTED', claimed_until = null
      where id = any(${ids}) and claim_token = ${token} and status = 'PENDING'
      returning id
    )
    select signer.next_nonce, array(select id from submitted) as mine from signer`)
  return { nextNonce: Number(nextNonce), mine: new Set(mine) }
}
