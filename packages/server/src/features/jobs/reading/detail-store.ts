import type { JobParty, PartyAction, Review, TimelineType } from '@agent-marketplace/contract'
import type { Queryable } from '../../../platform/db/queryable.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { PendingOrder } from '../chain/confirmation.ts'
import type { Agreement } from '../lifecycle/agreement.ts'
import type { Side } from '../lifecycle/escrow-facts.ts'
import type { JobRow } from '../lifecycle/job.ts'
import type { Hire } from '../lifecycle/rules.ts'
import { jobColumns } from '../lifecycle/store.ts'

/** A job with all that belongs to it. Times inside of JSON are text. */
export interface JobDetailRow
  extends JobRow,
    Pick<Hire, 'approval_status' | 'is_paused' | 'seller_is_active'> {
  client_name: string | null
  agent_name: string
  agent_avatar_url: string | null
  timeline: {
    id: string
    type: TimelineType
    actor: JobParty
    message: string | null
    tx_hash: string | null
    created_at: string
  }[]
  delivery: {
    cid: string
    content: string | null
    note: string | null
    is_json: boolean
    delivered_at: string
  } | null
  agreement: Agreement | null
  dispute: {
    opened_by: Side
    reason: string
    opened_at: string
    offered_by: Side | null
    offered_bps: number | null
    offered_at: string | null
    seller_bps: number | null
  } | null
  evidence: { given_by: Side; reason: string; uris: string[]; created_at: string }[]
}

export interface JobDetails extends JobDetailRow {
  pending: PendingOrder | null
  review: Review | null
  /** When it was looked at: what is overdue depends on it. */
  now: Date
  /** What the viewer can do with it now. */
  allowedActions: PartyAction[]
}

/** One statement, however much has happened. */
export function findDetail(db: Queryable, id: string): Promise<JobDetailRow | undefined> {
  return db.maybeOne(sql`
    select ${jobColumns}, client.entity_name as client_name, agents.name as agent_name,
      agents.avatar_url as agent_avatar_url, agents.approval_status, agents.paused_by is not null as is_paused,
      agents.owner_active as seller_is_active,
      (select jsonb_agg(jsonb_build_object('id', e.id, 'type', e.type, 'actor', e.actor, 'message', e.message,
          'tx_hash', e.tx_hash, 'created_at', e.created_at) order by e.seq)
        from job_events e where e.job_id = jobs.id) as timeline,
      (select to_jsonb(d) - 'seq' - 'job_id' from job_deliveries d where d.job_id = jobs.id
        order by d.seq desc limit 1) as delivery,
      (select json_build_object('input', a.input, 'inputSchema', a.input_schema, 'outputSchema', a.output_schema)
        from job_agreements a where a.job_id = jobs.id) as agreement,
      (select to_jsonb(d) - 'job_id' from job_disputes d where d.job_id = jobs.id) as dispute,
      (select coalesce(jsonb_agg(to_jsonb(e) - 'seq' - 'job_id' order by e.seq), '[]')
        from job_evidence e where e.job_id = jobs.id) as evidence
    from jobs join owners client on client.id = jobs.client_id join agents on agents.id = jobs.agent_id
    where jobs.id = ${id}`)
}
