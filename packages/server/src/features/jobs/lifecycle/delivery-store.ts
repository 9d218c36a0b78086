import type { Queryable } from '../../../platform/db/queryable.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { Agreement, JsonObject } from './agreement.ts'

export interface NewDelivery {
  jobId: string
  cid: string
  content: string | null
  note: string | null
  /** Whether the content is the result by the output schema. */
  isJson: boolean
  files: string[]
  at: Date
}

export async function insertDelivery(db: Queryable, delivery: NewDelivery): Promise<void> {
  const { jobId, cid, content, note, isJson, files, at } = delivery
  await db.run(sql`
    insert into job_deliveries (job_id, cid, content, note, is_json, files, delivered_at)
    values (${jobId}, ${cid}, ${content}, ${note}, ${isJson}, ${files}, ${at})`)
}

/** What the client asks to change stays with the delivery that it is about, the newest one. */
export async function saveChangeRequest(db: Queryable, jobId: string, words: string | null): Promise<void> {
  await db.run(sql`
    update job_deliveries set change_request = ${words}
    where seq = (select max(seq) from job_deliveries where job_id = ${jobId})`)
}

export async function insertAgreements(
  db: Queryable,
  agreements: readonly (Agreement & { jobId: string })[],
): Promise<void> {
  if (agreements.length === 0) return
  const all = (key: keyof Agreement) =>
    agreements.map((agreement) => (agreement[key] === null ? null : sql.json(agreement[key])))
  await db.run(sql`
    insert into job_agreements (job_id, input, input_schema, output_schema)
    select * from unnest(${agreements.map(({ jobId }) => jobId)}::text[], ${all('input')}::json[],
      ${all('inputSchema')}::json[], ${all('outputSchema')}::json[])`)
}

/** What a delivery of this job must fit; undefined where anything does. */
export async function findOutputSchema(db: Queryable, jobId: string): Promise<JsonObject | undefined> {
  const row = await db.maybeOne<{ schema: JsonObject | null }>(
    sql`select output_schema as schema from job_agreements where job_id = ${jobId}`,
  )
  return row?.schema ?? undefined
}
