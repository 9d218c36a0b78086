import { sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { Hex, SenderName, TransactionOutcome } from '../../ports/chain/port.ts'
import { type EndedIntent, endIntents } from '../intents/intent-store.ts'
import type { MoneyDeps } from '../money-deps.ts'

const LOOKUP_LIMIT = 200

export type MinedOutcome = Exclude<TransactionOutcome, { status: 'unknown' | 'pending' }> & {
  intentId: string
  sender: Hex
  /** As whom it was sent; the key may have changed since. */
  senderName: SenderName
  nonce: number
  isNoop: boolean
}

/** A nonce that the chain has passed although none of our hashes for it was mined. */
export interface MissingTransaction {
  sender: Hex
  nonce: number
  intentId: string
}

export interface Lookup {
  mined: MinedOutcome[]
  missing: MissingTransaction[]
}

interface Candidate {
  nonce: bigint
  intentId: string
  senderName: SenderName
  hashes: { hash: Hex; isNoop: boolean }[]
}

/**
 * Asks the chain for the outcomes of what was sent, but only of nonces that it has passed: the others have none. What a key
 * sent that has been replaced since is requested like everything else.
 */
export async function lookUpOutcomes({ db, chain }: Pick<MoneyDeps, 'db' | 'chain'>): Promise<Lookup> {
  const senders = await db.rows<{ sender: Hex }>(sql`
    select distinct sender from chain_transactions
    where chain_id = ${chain.facts.chainId} and status = 'OPEN' order by sender`)
  const found = await Promise.all(senders.map(({ sender }) => lookUpOf(sender, { db, chain })))
  return { mined: found.flatMap(({ mined }) => mined), missing: found.flatMap(({ missing }) => missing) }
}

async function lookUpOf(sender: Hex, { db, chain }: Pick<MoneyDeps, 'db' | 'chain'>): Promise<Lookup> {
  const { chainId } = chain.facts
  const open = await db.rows<Candidate>(sql`
    select t.nonce, t.intent_id, i.sender as "senderName",
      (select jsonb_agg(jsonb_build_object('hash', h.hash, 'isNoop', h.is_noop) order by h.created_at desc)
       from chain_transaction_hashes h
       where h.chain_id = t.chain_id and h.sender = t.sender and h.nonce = t.nonce) as hashes
    from chain_transactions t join intents i on i.id = t.intent_id
    where t.chain_id = ${chainId} and t.sender = ${sender} and t.status = 'OPEN'
    order by t.nonce limit ${LOOKUP_LIMIT}`)
  const minedNonce = await chain.relay.getNonce({ address: sender, at: 'latest' })
  const passed = open.filter(({ nonce }) => nonce < BigInt(minedNonce))
  const found = await findMined(chain, sender, passed)
  const unheard = passed.filter((_candidate, index) => found[index] === undefined)
  // One node may not have what another has: before anything is called lost it is requested once more.
  const again = await findMined(chain, sender, unheard)
  const mined = [...found, ...again].filter((outcome) => outcome !== undefined)
  const lost = unheard.filter((_candidate, index) => again[index] === undefined)
  if (lost.length === 0) return { mined, missing: [] }
  const safeNonce = await chain.relay.getNonce({ address: sender, at: 'safe' })
  const missing = lost
    .filter(({ nonce }) => nonce < BigInt(safeNonce))
    .map(({ nonce, intentId }) => ({ sender, nonce: Number(nonce), intentId }))
  return { mined, missing }
}

/** Asks for all hashes of all candidates at once: nearly always there is one each. */
async function findMined(
  chain: MoneyDeps['chain'],
  sender: Hex,
  candidates: Candidate[],
): Promise<(MinedOutcome | undefined)[]> {
  const outcomes = await chain.reader.getOutcomes(
    candidates.flatMap(({ hashes }) => hashes.map(({ hash }) => hash)),
  )
  const mined = new Map(
    outcomes.flatMap((outcome) => ('hash' in outcome ? [[outcome.hash, outcome] as const] : [])),
  )
  return candidates.map(({ nonce, intentId, senderName, hashes }) => {
    for (const { hash, isNoop } of hashes) {
      const outcome = mined.get(hash)
      if (outcome) return { ...outcome, intentId, sender, senderName, nonce: Number(nonce), isNoop }
    }
    return undefined
  })
}

/** Marks what was mined and notifies the kinds, all in the caller's transaction. */
export async function applyOutcomes(
  tx: Transaction,
  { chain, kinds }: Pick<MoneyDeps, 'chain' | 'kinds'>,
  mined: MinedOutcome[],
  timeOf: (blockNumber: bigint) => number,
): Promise<void> {
  if (mined.length === 0) return
  const { chainId } = chain.facts
  await tx.run(sql`
    update chain_transactions t set status = 'MINED', tx_hash = m.hash, missing_since = null
    from unnest(${mined.map(({ sender }) => sender)}::text[], ${mined.map(({ nonce }) => nonce)}::bigint[],
      ${mined.map(({ hash }) => hash)}::text[]) as m (sender, nonce, hash)
    where t.chain_id = ${chainId} and t.sender = m.sender and t.nonce = m.nonce and t.status = 'OPEN'`)
  const ended = await endIntents(tx, mined.map(endOf))
  for (const outcome of mined) {
    const intent = ended.get(outcome.intentId)
    if (intent === undefined) continue
    const kind = kinds.of(intent.kind)
    if (intent.status === 'SETTLED' && outcome.status === 'success') {
      await kind.onSettled(tx, intent, {
        chainId,
        txHash: outcome.hash,
        blockNumber: outcome.blockNumber,
        blockHash: outcome.blockHash,
        blockTime: new Date(timeOf(outcome.blockNumber) * 1000),
        events: outcome.events,
      })
    } else {
      await kind.onRejected(tx, intent, intent.reason ?? 'REVERTED')
    }
  }
}

function endOf(outcome: MinedOutcome): EndedIntent {
  const { intentId: id, hash: txHash, blockNumber, blockHash } = outcome
  const place = { id, txHash, blockNumber, blockHash }
  if (outcome.isNoop) return { ...place, status: 'REJECTED', reason: 'GIVEN_UP' }
  if (outcome.status === 'reverted') return { ...place, status: 'REJECTED', reason: outcome.reason }
  return { ...place, status: 'SETTLED', reason: null }
}

/**
 * A nonce used up by someone else with our key: after a long wait, and when several blocks say so in a row, the intent may
 * go out again under a new one, for the old bytes can no longer be mined. Never where the books hold an event of them:
 * then they were mined, and only their receipt is kept from us. Returns the intents that were freed.
 */
export async function freeMissing(
  tx: Transaction,
  { chain, settings }: Pick<MoneyDeps, 'chain' | 'settings'>,
  { missing, block }: { missing: MissingTransaction[]; block: bigint },
): Promise<string[]> {
  const { chainId } = chain.facts
  const named = sql`unnest(${missing.map(({ sender }) => sender)}::text[],
    ${missing.map(({ nonce }) => nonce)}::bigint[]) as m (sender, nonce)`
  await tx.run(sql`
    update chain_transactions t set missing_since = null, missing_looks = 0, missing_block = null
    where t.chain_id = ${chainId} and t.status = 'OPEN' and t.missing_since is not null
      and not exists (select 1 from ${named} where t.sender = m.sender and t.nonce = m.nonce)`)
  if (missing.length === 0) return []
  await tx.run(sql`
    update chain_transactions t set missing_since = coalesce(missing_since, now()),
      missing_looks = missing_looks + 1, missing_block = ${block} from ${named}
    where t.chain_id = ${chainId} and t.sender = m.sender and t.nonce = m.nonce and t.status = 'OPEN'
      and (t.missing_block is null or t.missing_block < ${block})`)
  const freed = await tx.rows<{ id: string }>(sql`
    with void as (
      update chain_transactions t set status = 'VOID' from ${named}
      where t.chain_id = ${chainId} and t.sender = m.sender and t.nonce = m.nonce and t.status = 'OPEN'
        and t.missing_looks >= ${settings.agreeingResponses}
        and not exists (select 1 from chain_transaction_hashes h
          join chain_events e on e.chain_id = h.chain_id and e.tx_hash = h.hash and e.is_canonical
          where h.chain_id = t.chain_id and h.sender = t.sender and h.nonce = t.nonce)
        and t.missing_since <= now() - make_interval(secs => ${settings.foreignAfterSeconds}::float8)
      returning t.intent_id
    )
    update intents set status = 'PENDING', claimed_until = null, claim_token = null, tx_hash = null
    from void where intents.id = void.intent_id and intents.status = 'SUBMITTED'
    returning intents.id`)
  return freed.map(({ id }) => id)
}
