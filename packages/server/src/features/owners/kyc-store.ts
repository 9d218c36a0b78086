import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'
import type { KycEvent, KycIdentity, KycLink, KycOutcome, KycSession } from '../../ports/kyc/port.ts'

export interface SessionRow {
  ownerId: string
  sessionId: string
  checkNumber: number
  /** The identity that the applicant declared. */
  entityType: string
  entityName: string
  url: string
  urlExpiresAt: Date
  lastEventAt: Date | null
  lastOutcome: KycOutcome | null
}

const sessionColumns = sql`
  owner_id, session_id, check_number, entity_type, entity_name, url, url_expires_at, last_event_at, last_outcome`

export function findSession(db: Queryable, ownerId: string): Promise<SessionRow | undefined> {
  return db.maybeOne(sql`select ${sessionColumns} from kyc_sessions where owner_id = ${ownerId}`)
}

export interface ToldSession extends SessionRow {
  /** The provider's last comment for the applicant. */
  lastReason: string | null
}

export function findToldSession(db: Queryable, ownerId: string): Promise<ToldSession | undefined> {
  return db.maybeOne(sql`
    select ${sessionColumns}, (
      select event.reason from kyc_events event
      where event.owner_id = known.owner_id and event.session_id = known.session_id
        and event.created_at = known.last_event_at and event.outcome = known.last_outcome
      order by event.received_at desc limit 1) as last_reason
    from kyc_sessions known where owner_id = ${ownerId}`)
}

/** Unless another applicant has taken the place of this one meanwhile. */
export async function saveLink(
  db: Queryable,
  { ownerId, sessionId }: SessionRow,
  { url, urlExpiresAt }: KycLink,
): Promise<void> {
  await db.run(sql`
    update kyc_sessions set url = ${url}, url_expires_at = ${urlExpiresAt}
    where owner_id = ${ownerId} and session_id = ${sessionId}`)
}

export function findSessionById(db: Queryable, sessionId: string): Promise<SessionRow | undefined> {
  return db.maybeOne(sql`select ${sessionColumns} from kyc_sessions where session_id = ${sessionId}`)
}

/** Another applicant for the same owner begins without history; the same one keeps the newest word about it. */
export function saveSession(
  db: Queryable,
  ownerId: string,
  session: KycSession & KycIdentity & { check: number },
  now: Date,
): Promise<SessionRow> {
  return db.one(sql`
    insert into kyc_sessions as known
      (owner_id, session_id, check_number, entity_type, entity_name, url, url_expires_at, started_at)
    values (${ownerId}, ${session.sessionId}, ${session.check}, ${session.entityType}, ${session.entityName},
      ${session.url}, ${session.urlExpiresAt}, ${now})
    on conflict (owner_id) do update set
      session_id = excluded.session_id,
      check_number = excluded.check_number,
      entity_type = excluded.entity_type,
      entity_name = excluded.entity_name,
      url = excluded.url,
      url_expires_at = excluded.url_expires_at,
      started_at = excluded.started_at,
      last_event_at = case when known.session_id = excluded.session_id then known.last_event_at end,
      last_outcome = case when known.session_id = excluded.session_id then known.last_outcome end
    returning ${sessionColumns}`)
}

/** False when this message was received before. */
export async function insertEvent(db: Queryable, event: KycEvent, now: Date): Promise<boolean> {
  const inserted = await db.run(sql`
    insert into kyc_events (event_id, owner_id, session_id, outcome, reason, created_at, received_at)
    values (${event.eventId}, ${event.ownerId}, ${event.sessionId}, ${event.outcome ?? null},
      ${event.reason ?? null}, ${event.createdAt}, ${now})
    on conflict (event_id) do nothing`)
  return inserted === 1
}

export function saveLastWord(
  db: Queryable,
  ownerId: string,
  word: { createdAt: Date; outcome: KycOutcome },
): Promise<number> {
  return db.run(sql`
    update kyc_sessions set last_event_at = ${word.createdAt}, last_outcome = ${word.outcome}
    where owner_id = ${ownerId}`)
}
