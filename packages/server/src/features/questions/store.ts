import type { RecentlyWritten } from '../../house/pace.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'

export interface QuestionRow {
  id: string
  seq: bigint
  agentId: string
  askerId: string
  text: string
  createdAt: Date
  reply: string | null
  repliedAt: Date | null
  hiddenAt: Date | null
}

/** Whose open questions a reader sees besides those with a reply. */
export type SeenOpen = { of: 'NOBODY' } | { of: 'ASKER'; askerId: string } | { of: 'ALL' }

const columns = sql`id, seq, agent_id, asker_id, text, created_at, reply, replied_at, hidden_at`

/** Keeps other questions of the same owner waiting, so that none passes a limit that another one reaches. */
export async function lockAsker(tx: Queryable, askerId: string): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`asker:${askerId}`}, 0))`)
}

/** Hidden ones count as well: they were asked. */
export function countAsked(
  db: Queryable,
  { askerId, since }: { askerId: string; since: Date },
): Promise<RecentlyWritten> {
  return db.one(sql`
    select count(*)::integer as recent, min(created_at) as oldest
    from agent_questions where asker_id = ${askerId} and created_at > ${since}`)
}

/** Undefined where this asker has an open question to this agent. */
export function insertQuestion(
  db: Queryable,
  question: Pick<QuestionRow, 'id' | 'agentId' | 'askerId' | 'text' | 'createdAt'>,
): Promise<QuestionRow | undefined> {
  const { id, agentId, askerId, text, createdAt } = question
  return db.maybeOne(sql`
    insert into agent_questions (id, agent_id, asker_id, text, created_at)
    values (${id}, ${agentId}, ${askerId}, ${text}, ${createdAt})
    on conflict (agent_id, asker_id) where replied_at is null and hidden_at is null do nothing
    returning ${columns}`)
}

export function lockQuestion(tx: Queryable, id: string): Promise<QuestionRow | undefined> {
  return tx.maybeOne(sql`select ${columns} from agent_questions where id = ${id} for update`)
}

export function saveReply(
  tx: Queryable,
  { id, reply, now }: { id: string; reply: string; now: Date },
): Promise<QuestionRow> {
  return tx.one(sql`
    update agent_questions set reply = ${reply}, replied_at = ${now} where id = ${id} returning ${columns}`)
}

export function saveHidden(tx: Queryable, { id, now }: { id: string; now: Date }): Promise<QuestionRow> {
  return tx.one(sql`update agent_questions set hidden_at = ${now} where id = ${id} returning ${columns}`)
}

/** Newest first. */
export function listQuestions(
  db: Queryable,
  page: { agentId: string; seenOpen: SeenOpen; before: bigint | undefined; limit: number },
): Promise<QuestionRow[]> {
  const before = page.before === undefined ? sql`true` : sql`seq < ${page.before}`
  return db.rows(sql`
    select ${columns} from agent_questions
    where agent_id = ${page.agentId} and hidden_at is null and ${isSeen(page.seenOpen)} and ${before}
    order by seq desc limit ${page.limit}`)
}

function isSeen(seenOpen: SeenOpen): Sql {
  if (seenOpen.of === 'ALL') return sql`true`
  if (seenOpen.of === 'NOBODY') return sql`replied_at is not null`
  return sql`(replied_at is not null or asker_id = ${seenOpen.askerId})`
}
