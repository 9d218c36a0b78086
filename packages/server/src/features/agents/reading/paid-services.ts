import type { Queryable } from '../../../platform/db/queryable.ts'
import { sql } from '../../../platform/db/sql.ts'

/** A service of a listed agent that is paid by x402. */
export interface PaidService {
  agentId: string
  agentName: string
  walletAddress: string
  category: string
  skills: string[]
  serviceName: string
  priceMicro: bigint
  createdAt: Date
}

/** Everything from the escrow's threshold on is paid through escrow, whatever the service says. */
export async function listPaidServices(
  db: Queryable,
  { limit, offset, belowMicro }: { limit: number; offset: number; belowMicro: bigint },
): Promise<{ services: PaidService[]; total: number }> {
  const paid = sql`
    from agents a cross join lateral jsonb_array_elements(a.services) s
    where a.listed and a.x402_enabled and (s ->> 'x402Enabled')::boolean
      and (s ->> 'priceMicro')::numeric between 1 and ${belowMicro - 1n}`
  const [services, { total }] = await Promise.all([
    db.rows<PaidService>(sql`
      select a.id as "agentId", a.name as "agentName", a.wallet_address, a.category, a.skills,
        s ->> 'name' as "serviceName", (s ->> 'priceMicro')::numeric as "priceMicro", a.created_at
      ${paid} order by a.created_at desc, a.id desc, s ->> 'id' limit ${limit} offset ${offset}`),
    db.one<{ total: number }>(sql`select count(*)::int as total ${paid}`),
  ])
  return { services, total }
}
