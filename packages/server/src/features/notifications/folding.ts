import { addSeconds } from '../../platform/clock/clock.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'

/** Of the unread notices with one key so many are shown: the oldest ones, and the newest, which says how many more there are. */
const SHOWN = 3
const WINDOW_SECONDS = 24 * 3600

interface Foldable {
  ownerId: string
  foldKey?: string | undefined
}

/**
 * After the insert, under the owners' locks that it took. Every notice is stored and streamed by itself, so that programs
 * miss nothing; folded ones leave the feed and its counts. Only a few rows of a key are not folded, so this stays cheap,
 * and each key is looked up by itself: a plan from when there were few keys must not read all of them later.
 */
export async function foldRepeats(tx: Queryable, notices: readonly Foldable[], now: Date): Promise<void> {
  const keyed = notices.filter(({ foldKey }) => foldKey !== undefined)
  if (keyed.length === 0) return
  await tx.run(sql`
    with ranked as (
      select n.id, row_number() over by_key as place, count(*) over of_key as total, sum(n.repeats) over of_key as repeats
      from (select distinct * from unnest(${keyed.map(({ ownerId }) => ownerId)}::text[],
        ${keyed.map(({ foldKey = '' }) => foldKey)}::text[]) as pair (owner_id, fold_key)) given
      cross join lateral (
        select id, owner_id, fold_key, seq, repeats from notifications
        where owner_id = given.owner_id and fold_key = given.fold_key and read_at is null and not is_folded
          and created_at > ${addSeconds(now, -WINDOW_SECONDS)}
        order by seq) n
      window of_key as (partition by n.owner_id, n.fold_key), by_key as (of_key order by n.seq)
    )
    update notifications set
      is_folded = ranked.place < ranked.total,
      repeats = case when ranked.place = ranked.total then ranked.repeats + ranked.total - ${SHOWN} else 0 end
    from ranked
    where notifications.id = ranked.id and ranked.total > ${SHOWN} and ranked.place >= ${SHOWN}`)
}
