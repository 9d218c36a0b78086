import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { NewId } from '../../platform/id/id.ts'

/** The admin who acts, and the request that they act by. */
export interface Actor {
  ownerId: string
  requestId: string
}

export interface AuditedAction {
  /** `agent.approved`, `owner.suspended` … */
  action: string
  subjectType: 'owner' | 'agent' | 'aml_flag' | 'question' | 'job' | 'dead_letter' | 'engine' | 'role'
  subjectId: string
  before: Record<string, unknown>
  after: Record<string, unknown>
  reason?: string | undefined
}

export interface AuditRow {
  id: string
  actorId: string | null
  action: string
  subjectType: string
  subjectId: string
  details: Record<string, unknown>
  createdAt: Date
}

export interface AuditPage {
  actorId: string | undefined
  subjectId: string | undefined
  limit: number
  offset: number
}

/** The audit log. An entry is written in the transaction of the action, so neither exists without the other. */
export function createAudit({ db, clock, newId }: { db: Database; clock: Clock; newId: NewId }) {
  return {
    async record(tx: Queryable, actor: Actor | 'service', audited: AuditedAction): Promise<void> {
      const { action, subjectType, subjectId, before, after, reason } = audited
      const requestId = actor === 'service' ? undefined : actor.requestId
      await tx.run(sql`
        insert into audit_log (id, actor_id, action, subject_type, subject_id, details, created_at)
        values (${newId()}, ${actor === 'service' ? null : actor.ownerId}, ${action}, ${subjectType}, ${subjectId},
          ${sql.json({ before, after, reason, requestId })}::jsonb, ${clock.now()})`)
    },

    async list(page: AuditPage): Promise<{ rows: AuditRow[]; total: number }> {
      const condition = conditionOf(page)
      const [rows, { count }] = await Promise.all([
        db.rows<AuditRow>(sql`
          select id, actor_id, action, subject_type, subject_id, details, created_at from audit_log
          where ${condition} order by seq desc limit ${page.limit} offset ${page.offset}`),
        db.one<{ count: bigint }>(sql`select count(*) from audit_log where ${condition}`),
      ])
      return { rows, total: Number(count) }
    },
  }
}

export type Audit = ReturnType<typeof createAudit>

function conditionOf({ actorId, subjectId }: AuditPage): Sql {
  const byActor = actorId === undefined ? sql`true` : sql`actor_id = ${actorId}`
  const bySubject = subjectId === undefined ? sql`true` : sql`subject_id = ${subjectId}`
  return sql`${byActor} and ${bySubject}`
}
