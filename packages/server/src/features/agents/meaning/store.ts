import type { Queryable } from '../../../platform/db/queryable.ts'
import { sql } from '../../../platform/db/sql.ts'
import { orderOf } from '../search/condition.ts'

/** So many vectors are kept, of the best-rated agents: comparing a text with each of them takes a few milliseconds. */
const MAX_EMBEDDED = 5_000
/** As much as any model takes. What is sold comes before how it is described. */
const MAX_TEXT_LENGTH = 2_000

const bestRated = sql`
  select id from agent_listings order by ${orderOf('rating', sql`agent_listings`)} limit ${MAX_EMBEDDED}`

const text = sql`
  left(concat_ws(E'\n', name, category, array_to_string(skills, ', '), texts_in(services, '$[*].name'), description,
    texts_in(service_terms::jsonb, '$.*.description')), ${MAX_TEXT_LENGTH})`

export interface DueText {
  agentId: string
  text: string
  textHash: string
}

/** Agents whose text has no vector of this model, or has changed since. */
export function findDueTexts(db: Queryable, model: string, limit: number): Promise<DueText[]> {
  return db.rows(sql`
    select id as agent_id, text, md5(text) as text_hash
    from (${bestRated}) best join agents using (id)
      cross join lateral (select ${text} as text) written
      left join agent_embeddings on agent_id = id
    where model is distinct from ${model} or text_hash is distinct from md5(text)
    order by id limit ${limit}`)
}

export interface Embedded extends Pick<DueText, 'agentId' | 'textHash'> {
  vector: Float32Array | null
}

export async function saveEmbedded(
  db: Queryable,
  model: string,
  embedded: readonly Embedded[],
): Promise<void> {
  await db.run(sql`
    insert into agent_embeddings (agent_id, model, text_hash, vector)
    select agent_id, ${model}, text_hash, vector
    from unnest(
      ${embedded.map(({ agentId }) => agentId)}::text[],
      ${embedded.map(({ textHash }) => textHash)}::text[],
      ${embedded.map(({ vector }) => vector && bytesOf(vector))}::bytea[]) made (agent_id, text_hash, vector)
    where exists (select from agents where id = agent_id)
    on conflict (agent_id) do update
      set model = excluded.model, text_hash = excluded.text_hash, vector = excluded.vector`)
}

/** Of agents that are not listed any more, or not among the best-rated. */
export async function removeOthers(db: Queryable): Promise<void> {
  await db.run(sql`delete from agent_embeddings where agent_id not in (${bestRated})`)
}

export type KeptHash = Pick<DueText, 'agentId' | 'textHash'>

export function listHashes(db: Queryable, model: string): Promise<KeptHash[]> {
  return db.rows(sql`
    select agent_id, text_hash from agent_embeddings where model = ${model} and vector is not null`)
}

export async function findVectors(
  db: Queryable,
  model: string,
  agentIds: readonly string[],
): Promise<(KeptHash & { vector: Float32Array })[]> {
  const rows = await db.rows<KeptHash & { vector: Buffer }>(sql`
    select agent_id, text_hash, vector from agent_embeddings
    where model = ${model} and vector is not null and agent_id = any(${agentIds})`)
  return rows.map((row) => ({ ...row, vector: vectorOf(row.vector) }))
}

// The numbers as they lie in memory, the lowest byte first on every machine that this runs on.
const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array =>
  Buffer.from(buffer, byteOffset, byteLength)
const vectorOf = (bytes: Buffer): Float32Array => new Float32Array(Uint8Array.from(bytes).buffer)
