import type { ApprovalStatus, CustomOrders, ProfileLanguage } from '@agent-marketplace/contract'
import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'
import { offersOf } from './offers.ts'
import { type AgentProfile, lowestPriceMicro, sampleTitleOf } from './profile.ts'
import { type AgentState, keyOf, type PausedBy } from './rules.ts'

/** What lists show of an agent. */
export interface ListedRow {
  id: string
  walletAddress: string
  name: string
  description: string
  category: string
  avatarUrl: string | null
  hourlyRateMicro: bigint | null
  lowestPriceMicro: bigint
  averageRating: number
  totalJobs: number
  approvalStatus: ApprovalStatus
  undeliveredJobs: number
  /** Null where it is unknown. */
  online: boolean | null
  lastSeenAt: Date | null
  firstProgressSeconds: number | null
  createdAt: Date
}

/** What search finds: an agent, and the version of what is shown of it. */
export interface AgentVersion {
  id: string
  rowVersion: string
}

/** What search shows. */
export interface FoundRow extends ListedRow {
  skills: string[]
  /** As stored; `storedOffers` reads it. */
  services: unknown
  x402Enabled: boolean
  totalEarnedMicro: bigint
  isPremium: boolean
  reviewCount: number
  onChainAgentId: bigint | null
  customOrders: CustomOrders
  language: ProfileLanguage
  ownerId: string
  score: number
  scoreWeight: number
  deliveredCount: number
  deliverableCount: number
  onTimeCount: number
  timedCount: number
  disputeCount: number
  disputableCount: number
  deliverySeconds: number | null
  deliverySamples: number
  responseSeconds: number | null
  responseSamples: number
  sampleTitle: string | null
}

export interface AgentRow extends FoundRow, AgentState {
  /** As stored; `storedTerms` reads it. */
  serviceTerms: unknown
  providerWalletId: string
  rejectionReason: string | null
  pausedBy: PausedBy | null
  /** Too many of its own jobs were paid for and not delivered; `is_withheld` also for those of another agent. */
  owesTooMuch: boolean
  sessionCapMicro: bigint | null
  perTxLimitMicro: bigint | null
  allowedSkills: string[] | null
  ratingCounts: number[]
  ratingSum: number
  completedJobs: number
  cancelledJobs: number
  disputedJobs: number
  settledVolumeMicro: bigint
  verifiedX402Payments: number
  feedbackCount: number
  scoredAt: Date | null
}

export const listedColumns = sql`
  agents.id, agents.wallet_address, agents.name, agents.description, agents.category, agents.avatar_url,
  agents.hourly_rate_micro, agents.lowest_price_micro, agents.average_rating, agents.total_jobs,
  agents.approval_status, agents.undelivered_jobs, agents.created_at, agents.online,
  (select c.last_seen_at from agent_connections c where c.agent_id = agents.id) as last_seen_at,
  (select c.first_progress_seconds from agent_connections c where c.agent_id = agents.id) as first_progress_seconds`

export const foundColumns = sql`
  ${listedColumns}, agents.skills, agents.services, agents.x402_enabled, agents.total_earned_micro,
  agents.is_premium, agents.review_count, agents.on_chain_agent_id, agents.custom_orders, agents.language, agents.owner_id, agents.score,
  agents.score_weight, agents.delivered_count, agents.deliverable_count, agents.on_time_count, agents.timed_count,
  agents.dispute_count, agents.disputable_count, agents.delivery_seconds, agents.delivery_samples,
  agents.response_seconds, agents.response_samples, agents.sample_title`

export const agentColumns = sql`
  ${foundColumns}, agents.service_terms, agents.provider_wallet_id, agents.rejection_reason, agents.paused_by,
  agents.owner_active, agents.is_withheld, agents.owes_too_much, agents.session_cap_micro, agents.per_tx_limit_micro,
  agents.allowed_skills,
  agents.rating_counts, agents.rating_sum, agents.completed_jobs, agents.cancelled_jobs, agents.disputed_jobs,
  agents.settled_volume_micro, agents.verified_x402_payments, agents.feedback_count,
  agents.scored_at`

export interface NewAgentRow {
  id: string
  ownerId: string
  walletAddress: string
  providerWalletId: string
  profile: AgentProfile
  premiumUntil: Date | null
  now: Date
}

export function insertAgent(tx: Queryable, agent: NewAgentRow): Promise<AgentRow> {
  const { profile, premiumUntil, now } = agent
  const { guardrails } = profile
  return tx.one(sql`
    insert into agents (id, owner_id, wallet_address, provider_wallet_id, name, description, category, category_key,
      avatar_url, hourly_rate_micro, skills, skill_keys, services, service_terms, session_cap_micro,
      per_tx_limit_micro, allowed_skills, lowest_price_micro, x402_enabled, custom_orders, language, owner_active,
      premium_until, is_premium, withheld_with, is_withheld, created_at, sample_title)
    select ${agent.id}, owners.id, ${agent.walletAddress}, ${agent.providerWalletId}, ${profile.name},
      ${profile.description}, ${profile.category}, ${keyOf(profile.category)}, ${profile.avatarUrl},
      ${profile.hourlyRateMicro}::bigint, ${profile.skills}::text[], ${profile.skills.map(keyOf)}::text[],
      ${servicesJson(profile)}::jsonb, ${termsJson(profile)}::json, ${guardrails?.sessionCapMicro ?? null}::bigint,
      ${guardrails?.perTxLimitMicro ?? null}::bigint, ${guardrails?.allowedSkills ?? null}::text[],
      ${lowestPriceMicro(profile)}::bigint, ${sellsByX402(profile)}::boolean, ${profile.customOrders}::text, ${profile.language}::text,
      owners.account_status = 'ACTIVE',
      ${premiumUntil}::timestamptz, ${premiumUntil !== null && premiumUntil > now}::boolean,
      other.id, other.id is not null, ${now}::timestamptz, ${sampleTitleOf(profile)}::text
    from owners left join lateral (
      select agents.id from agents where agents.owner_id = owners.id and agents.owes_too_much
      order by agents.created_at, agents.id limit 1) other on true
    where owners.id = ${agent.ownerId}
    returning ${agentColumns}`)
}

export function saveProfile(tx: Queryable, agentId: string, profile: AgentProfile): Promise<AgentRow> {
  const { guardrails } = profile
  return tx.one(sql`
    update agents set
      name = ${profile.name},
      description = ${profile.description},
      category = ${profile.category},
      category_key = ${keyOf(profile.category)},
      avatar_url = ${profile.avatarUrl},
      hourly_rate_micro = ${profile.hourlyRateMicro},
      skills = ${profile.skills},
      skill_keys = ${profile.skills.map(keyOf)},
      services = ${servicesJson(profile)},
      service_terms = ${termsJson(profile)},
      session_cap_micro = ${guardrails?.sessionCapMicro ?? null},
      per_tx_limit_micro = ${guardrails?.perTxLimitMicro ?? null},
      allowed_skills = ${guardrails?.allowedSkills ?? null},
      lowest_price_micro = ${lowestPriceMicro(profile)},
      x402_enabled = ${sellsByX402(profile)},
      custom_orders = ${profile.customOrders},
      language = ${profile.language},
      sample_title = ${sampleTitleOf(profile)}
    where id = ${agentId} returning ${agentColumns}`)
}

/** A row as its seller described it. */
export function profileOfRow(row: AgentRow): AgentProfile {
  return {
    name: row.name,
    description: row.description,
    category: row.category,
    avatarUrl: row.avatarUrl,
    hourlyRateMicro: row.hourlyRateMicro,
    skills: row.skills,
    services: offersOf(row),
    guardrails: row.allowedSkills && {
      sessionCapMicro: row.sessionCapMicro,
      perTxLimitMicro: row.perTxLimitMicro,
      allowedSkills: row.allowedSkills,
    },
    customOrders: row.customOrders,
    language: row.language,
  }
}

function servicesJson({ services }: AgentProfile): string {
  return sql.json(
    services.map(({ terms: _, ...offer }) => ({ ...offer, priceMicro: offer.priceMicro.toString() })),
  )
}

/** By the id of the service; those that say nothing are left out. */
function termsJson({ services }: AgentProfile): string {
  const said = services.filter(({ terms }) => Object.keys(terms).length > 0)
  return sql.json(Object.fromEntries(said.map(({ id, terms }) => [id, terms])))
}

function sellsByX402({ services }: AgentProfile): boolean {
  return services.some(({ x402Enabled }) => x402Enabled)
}
