import type { ListedService } from '../../../house/services/payable-service.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import { type Sql, sql } from '../../../platform/db/sql.ts'
import { offersOf } from '../offers.ts'
import { type FoundRow, foundColumns } from '../store.ts'
import { presentQuality } from './present-record.ts'

export interface ServicesPage {
  limit: number
  offset: number
}

/** A longer sample is read on the service's own page. */
const MAX_SAMPLE_LENGTH = 10_000

interface PayableRow extends FoundRow {
  serviceId: string
  updatedAt: Date
  termsDescription: string | null
  inputSchema: Record<string, unknown> | null
  outputSchema: Record<string, unknown> | null
  example: unknown
}

/** Of all agents, the last changed first. */
export async function listPayableServices(
  db: Queryable,
  { limit, offset }: ServicesPage,
): Promise<{ services: ListedService[]; total: number }> {
  const order = sql`order by updated_at desc, agent_id desc, position`
  const [services, { total }] = await Promise.all([
    read(
      db,
      sql`select *, row_number() over (${order}) as place from payable_services ${order} limit ${limit} offset ${offset}`,
    ),
    db.one<{ total: number }>(sql`select coalesce(sum(payable_count), 0)::int as total from agent_counts`),
  ])
  return { services, total }
}

/** Of some agents, in their order. */
export async function listPayableServicesOf(
  db: Queryable,
  agentIds: readonly string[],
  { limit, offset }: ServicesPage,
): Promise<ListedService[]> {
  return read(
    db,
    sql`select offered.*, row_number() over (order by wanted.rank, offered.position) as place
      from unnest(${agentIds}::text[]) with ordinality as wanted (agent_id, rank)
      join payable_services offered using (agent_id)
      order by wanted.rank, offered.position limit ${limit} offset ${offset}`,
  )
}

/** The listed agent with this wallet, if it has any word of the text. */
export function findPayee(
  db: Queryable,
  payTo: string,
  text?: string,
): Promise<{ id: string; services: number } | undefined> {
  const matches = sql`and search @@ replace(plainto_tsquery(stemming_of(language), ${text ?? ''})::text, '&', '|')::tsquery`
  return db.maybeOne(sql`
    select id, (select count(*)::int from payable_services where agent_id = agents.id) as services
    from agents where lower(wallet_address) = lower(${payTo}) and listed ${text === undefined ? sql`` : matches}`)
}

/** Details are read of the page alone. */
async function read(db: Queryable, page: Sql): Promise<ListedService[]> {
  const rows = await db.rows<PayableRow>(sql`
    select ${foundColumns}, page.service_id, page.updated_at,
      left(terms ->> 'description', 1000) as terms_description,
      terms -> 'inputSchema' as input_schema, terms -> 'outputSchema' as output_schema,
      case when length(terms #>> '{examples,0}') <= ${MAX_SAMPLE_LENGTH} then terms #> '{examples,0}' end as example
    from (${page}) page join agents on agents.id = page.agent_id
    cross join lateral (select agents.service_terms -> page.service_id as terms) promised
    order by page.place`)
  return rows.flatMap(toListedService)
}

function toListedService(row: PayableRow): ListedService[] {
  const { serviceId: id, termsDescription, inputSchema, outputSchema, example } = row
  const terms = {
    ...(termsDescription !== null && { description: termsDescription }),
    ...(inputSchema !== null && { inputSchema }),
    ...(outputSchema !== null && { outputSchema }),
    ...(example !== null && { examples: [example] }),
  }
  const { name: agentName, description, walletAddress, category, skills, services } = row
  const agent = { name: agentName, description, walletAddress, category, skills }
  return offersOf({ services, serviceTerms: { [id]: terms } })
    .filter((offer) => offer.id === id)
    .map((offer) => ({
      agentId: row.id,
      service: { ...offer, agent },
      updatedAt: row.updatedAt,
      quality: presentQuality(row),
    }))
}
