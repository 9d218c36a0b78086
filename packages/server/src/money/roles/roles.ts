import type { Queryable } from '../../platform/db/queryable.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { ChainEventOf, ChainPort, EscrowRole, EventPlace } from '../../ports/chain/port.ts'
import { treasuryAccount, walletAccount } from '../books/accounts.ts'

export interface Roles {
  /** Who holds the role, as far as the chain has been read. With a place: who held it just before that event. */
  holderOf(role: EscrowRole, before?: Pick<EventPlace, 'blockNumber' | 'logIndex'>): Promise<string>
  /** Whether our key is still the escrow's operator. */
  isOperator(): Promise<boolean>
}

/**
 * Who holds the escrow's roles. They change on the chain, so nobody keeps an address: it is read from the books each time,
 * which also serves processes that do not index. What was read from the escrow at the start counts until the books know.
 */
export function createRoles(db: Queryable, { facts }: Pick<ChainPort, 'facts'>): Roles {
  const { chainId, operator, contracts } = facts
  const atStart = { operator, arbiter: contracts.arbiter, treasury: contracts.treasury }

  const holderOf: Roles['holderOf'] = async (role, before) => {
    const changes = sql`chain_events e
      where e.chain_id = ${chainId} and e.subject = ${role} and e.name = 'RoleChanged' and e.is_canonical`
    const isBefore = before
      ? sql`(e.block_number, e.log_index) < (${before.blockNumber}, ${before.logIndex})`
      : sql`true`
    const { holder } = await db.one<{ holder: string | null }>(sql`
      select coalesce(
        (select e.args ->> 'current' from ${changes} and ${isBefore}
         order by e.block_number desc, e.log_index desc limit 1),
        (select e.args ->> 'previous' from ${changes} and not ${isBefore}
         order by e.block_number, e.log_index limit 1)) as holder`)
    return holder ?? atStart[role]
  }

  return {
    holderOf,
    isOperator: async () => (await holderOf('operator')).toLowerCase() === operator.toLowerCase(),
  }
}

/**
 * The account `treasury` belongs to the address that was the treasury when the books began. One that follows is a watched
 * wallet like any other, under its own account: each of them can be compared with the chain by itself.
 */
export async function bindTreasury(db: Queryable, chain: ChainPort): Promise<ChainPort> {
  const bound = await db.maybeOne<{ address: string }>(sql`
    select address from watched_wallets where account = ${treasuryAccount()} order by created_at limit 1`)
  if (bound === undefined) return chain
  const { facts } = chain
  const treasury = chain.checksumAddress(bound.address)
  return { ...chain, facts: { ...facts, contracts: { ...facts.contracts, treasury } } }
}

/** Whether an account is, or was, the treasury's. */
export const isTreasury = (account: Sql): Sql => sql`(
  ${account} = ${treasuryAccount()} or ${account} in (
    select ${walletAccount('')} || lower(e.args ->> 'current') from chain_events e
    where e.subject = 'treasury' and e.name = 'RoleChanged' and e.is_canonical))`

/** Whether the wallet had been the treasury before this change: then what it received counts as fees already, and still will. */
export async function wasTreasury(
  db: Queryable,
  { current, blockNumber, logIndex }: ChainEventOf<'RoleChanged'>,
): Promise<boolean> {
  const earlier = await db.rows(sql`
    select from chain_events e
    where e.subject = 'treasury' and e.name = 'RoleChanged' and e.is_canonical
      and lower(e.args ->> 'current') = ${current.toLowerCase()}
      and (e.block_number, e.log_index) < (${blockNumber}, ${logIndex}) limit 1`)
  return earlier.length > 0
}
