import type { JobFile, JobParty, PartyAction, Review, TimelineType } from '@agent-marketplace/contract'
import type { Queryable } from '../../../platform/db/queryable.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { PendingOrder } from '../chain/confirmation.ts'
import type { Agreement } from '../lifecycle/agreement.ts'
import type { Side } from '../lifecycle/escrow-facts.ts'
import type { JobRow } from '../lifecycle/job.ts'
import type { Hire } from '../lifecycle/rules.ts'
import { jobColumns } from '../lifecycle/store.ts'

/** A job with all that belongs to it. Times inside of JSON are text. */
export interface JobDetailRow extends JobRow, Pick<Hire, 'approvalStatus' | 'isPaused' | 'sellerIsActive'> {
  clientName: string | null
  agentName: string
  agentAvatarUrl: string | null
  timeline: {
    id: string
    type: TimelineType
    actor: JobParty
    message: string | null
    txHash: string | null
    createdAt: string
  }[]
  deliveries: {
    cid: string
    content: string | null
    note: string | null
    isJson: boolean
    files: string[]
    changeRequest: string | null
    deliveredAt: string
  }[]
  /** Ids of what the client handed in with the hire. */
  hireFiles: string[]
  agreement: Agreement | null
  dispute: {
    openedBy: Side
    reason: string
    openedAt: string
    offeredBy: Side | null
    offeredBps: number | null
    offeredAt: string | null
    sellerBps: number | null
  } | null
  evidence: { givenBy: Side; reason: string; uris: string[]; createdAt: string }[]
}

export interface JobDetails extends JobDetailRow {
  pending: PendingOrder | null
  review: Review | null
  /** Of the hire and of its deliveries, by id. */
  files: Map<string, JobFile>
  /** When it was looked at: what is overdue depends on it. */
  now: Date
  /** What the viewer can do with it now. */
  allowedActions: PartyAction[]
}

/** Keys inside JSON are the statement's own words, so they are camelCase here already. `dispute` is a row of job_disputes. */
export const disputeJson = sql`jsonb_build_object('openedBy', dispute.opened_by, 'reason', dispute.reason,
  'openedAt', dispute.opened_at, 'offeredBy', dispute.offered_by, 'offeredBps', dispute.offered_bps,
  'offeredAt', dispute.offered_at, 'sellerBps', dispute.seller_bps)`

export const evidenceJson = sql`(
  select coalesce(jsonb_agg(jsonb_build_object('givenBy', e.given_by, 'reason', e.reason, 'uris', e.uris,
    'createdAt', e.created_at) order by e.seq), '[]')
  from job_evidence e where e.job_id = jobs.id)`

/** One statement, however much has happened. */
export function findDetail(db: Queryable, id: string): Promise<JobDetailRow | undefined> {
  return db.maybeOne(sql`
    select ${jobColumns}, client.entity_name as client_name, agents.name as agent_name,
      agents.avatar_url as agent_avatar_url, agents.approval_status, agents.paused_by is not null as is_paused,
      agents.owner_active as seller_is_active,
      (select jsonb_agg(jsonb_build_object('id', e.id, 'type', e.type, 'actor', e.actor, 'message', e.message,
          'txHash', e.tx_hash, 'createdAt', e.created_at) order by e.seq)
        from job_events e where e.job_id = jobs.id) as timeline,
      (select coalesce(jsonb_agg(jsonb_build_object('cid', d.cid, 'content', d.content, 'note', d.note,
          'isJson', d.is_json, 'files', d.files, 'changeRequest', d.change_request, 'deliveredAt', d.delivered_at)
          order by d.seq), '[]')
        from job_deliveries d where d.job_id = jobs.id) as deliveries,
      array(select f.id from job_files f where f.job_id = jobs.id and f.hire_place is not null
        order by f.hire_place) as hire_files,
      (select json_build_object('input', a.input, 'inputSchema', a.input_schema, 'outputSchema', a.output_schema)
        from job_agreements a where a.job_id = jobs.id) as agreement,
      (select ${disputeJson} from job_disputes dispute where dispute.job_id = jobs.id) as dispute,
      ${evidenceJson} as evidence
    from jobs join owners client on client.id = jobs.client_id join agents on agents.id = jobs.agent_id
    where jobs.id = ${id}`)
}
