import { addSeconds } from '../../platform/clock/clock.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Notice } from '../../platform/notices/notice.ts'
import { lockFeeds } from './store.ts'

/** Of the unread notices with one key so many are shown: the oldest ones, and the newest, which says how many more there are. */
const SHOWN = 3
const WINDOW_SECONDS = 24 * 3600

interface Key {
  ownerId: string
  foldKey: string
}

/** An unread notice of a key that is not folded. */
interface Shown extends Key {
  id: string
  repeats: number
}

/**
 * What becomes of notices. Every one is stored and goes to webhooks by itself, so that programs miss nothing. Folded ones
 * leave the feed, its counts and the stream, where the newest stands for them.
 */
export interface Folded {
  isFolded: boolean
  /** How many further notices of the same key it stands for. */
  repeats: number
}

const inFeed: Folded = { isFolded: false, repeats: 0 }

type Foldable = Pick<Notice, 'ownerId' | 'foldKey' | 'reach'>

/**
 * Before the insert: what becomes of each new notice. Those that are there are hidden where a newer one stands for them.
 * It takes the locks of the owners, so that nothing is added in between.
 */
export async function foldRepeats(tx: Queryable, notices: readonly Foldable[], now: Date): Promise<Folded[]> {
  const keyed = notices.filter(hasKey)
  if (keyed.length === 0) return notices.map(() => inFeed)
  await lockFeeds(
    tx,
    notices.map(({ ownerId }) => ownerId),
  )
  const { added, hidden } = fold(await listShown(tx, keyed, now), keyed)
  if (hidden.length > 0) await hide(tx, hidden)
  const next = added.values()
  return notices.map((notice) => (hasKey(notice) && next.next().value) || inFeed)
}

/** What is never in the feed is not folded. */
const hasKey = (notice: Foldable): notice is Foldable & Key =>
  notice.foldKey !== undefined && notice.reach === undefined

/** The shown ones are in the order of their insertion, as are the new ones, which come after them. */
export function fold(
  shown: readonly Shown[],
  notices: readonly Key[],
): { added: Folded[]; hidden: string[] } {
  const byKey = new Map<string, (Folded & { id?: string })[]>()
  const place = <Entry extends Folded & { id?: string }>({ ownerId, foldKey }: Key, entry: Entry): Entry => {
    const key = JSON.stringify([ownerId, foldKey])
    byKey.set(key, [...(byKey.get(key) ?? []), entry])
    return entry
  }
  for (const one of shown) place(one, { id: one.id, isFolded: false, repeats: one.repeats })
  const added = notices.map((notice) => place<Folded>(notice, { ...inFeed }))
  const hidden: string[] = []
  for (const entries of byKey.values()) {
    const newest = entries.at(-1)
    if (!newest || entries.length <= SHOWN) continue
    const stoodFor = entries.slice(SHOWN - 1, -1)
    newest.repeats = stoodFor.reduce((sum, { repeats }) => sum + repeats, stoodFor.length)
    for (const entry of stoodFor) {
      Object.assign(entry, { isFolded: true, repeats: 0 })
      if (entry.id !== undefined) hidden.push(entry.id)
    }
  }
  return { added, hidden }
}

/** Only a few rows of a key are shown. Each key is looked up by itself: a plan from when there were few keys must not read all of them later. */
function listShown(tx: Queryable, keys: readonly Key[], now: Date): Promise<Shown[]> {
  return tx.rows(sql`
    select shown.owner_id, shown.fold_key, shown.id, shown.repeats
    from (select distinct * from unnest(${keys.map(({ ownerId }) => ownerId)}::text[],
      ${keys.map(({ foldKey }) => foldKey)}::text[]) as pair (owner_id, fold_key)) given
    cross join lateral (
      select id, owner_id, fold_key, seq, repeats from notifications
      where owner_id = given.owner_id and fold_key = given.fold_key and read_at is null and not is_folded
        and created_at > ${addSeconds(now, -WINDOW_SECONDS)}
      order by seq) shown
    order by shown.seq`)
}

async function hide(tx: Queryable, ids: readonly string[]): Promise<void> {
  await tx.run(sql`update notifications set is_folded = true, repeats = 0 where id = any(${ids})`)
}
