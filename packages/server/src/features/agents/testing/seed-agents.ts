import type { ProfileLanguage } from '@agent-marketplace/contract'
import type { Queryable } from '../../../platform/db/queryable.ts'
import { sql } from '../../../platform/db/sql.ts'
import { keyOf } from '../rules.ts'

/** How it delivers: counts out of ten jobs, and median times of ten. */
export interface SeededRecord {
  onTime: number
  delivered: number
  disputes: number
  deliverySeconds: number
  responseSeconds: number
}

/** An agent as search sees it, stored directly instead of created over the API. */
export interface SeededAgent {
  id: string
  name: string
  description: string
  category: string
  skills: string[]
  /** Names of services, each sold at the lowest price. */
  services: string[]
  /** What each of the services promises; nothing by default. */
  terms?: unknown[]
  lowestPriceMicro: bigint
  x402Enabled: boolean
  ratingSum: number
  reviewCount: number
  /** From 1 to 5. */
  score: number
  record: SeededRecord
  totalJobs: number
  totalEarnedMicro: bigint
  /** None by default. */
  undeliveredJobs?: number
  isPremium: boolean
  isApproved: boolean
  isPaused: boolean
  /** Unknown by default. */
  online?: boolean | null
  /** English by default. */
  language?: ProfileLanguage
  createdAt: Date
}

export const plainAgent: Omit<SeededAgent, 'id'> = {
  name: 'Plain Agent',
  description: 'Does things.',
  category: 'general',
  skills: [],
  services: [],
  lowestPriceMicro: 1_000_000n,
  x402Enabled: false,
  ratingSum: 0,
  reviewCount: 0,
  score: 1,
  record: { onTime: 0, delivered: 0, disputes: 0, deliverySeconds: 0, responseSeconds: 0 },
  totalJobs: 0,
  totalEarnedMicro: 0n,
  isPremium: false,
  isApproved: true,
  isPaused: false,
  createdAt: new Date('2026-11-01T00:00:00Z'),
}

export function seedId(index: number): string {
  return `c${String(index).padStart(24, '0')}`
}

const serviceId = ({ id }: SeededAgent, index: number) => `${id.slice(0, -2)}s${index}`

export async function seedOwner(db: Queryable): Promise<string> {
  const ownerId = 'cseedowner00000000000000a'
  await db.run(sql`
    insert into owners (id, wallet_address, created_at) values (${ownerId}, ${`0x${'5e'.repeat(20)}`}, now())
    on conflict do nothing`)
  return ownerId
}

export async function seedAgents(db: Queryable, agents: readonly SeededAgent[]): Promise<void> {
  const ownerId = await seedOwner(db)
  const rows = agents.map((agent) => ({
    id: agent.id,
    wallet: `0x${Buffer.from(agent.id.slice(-20)).toString('hex')}`,
    name: agent.name,
    description: agent.description,
    category: agent.category,
    categoryKey: keyOf(agent.category),
    skills: agent.skills,
    skillKeys: agent.skills.map(keyOf),
    services: agent.services.map((name, index) => ({
      id: serviceId(agent, index),
      name,
      priceMicro: agent.lowestPriceMicro.toString(),
      deliveryHours: 24,
      x402Enabled: agent.x402Enabled,
    })),
    terms: Object.fromEntries((agent.terms ?? []).map((terms, index) => [serviceId(agent, index), terms])),
    price: agent.lowestPriceMicro.toString(),
    x402: agent.x402Enabled,
    ratingSum: agent.ratingSum,
    reviewCount: agent.reviewCount,
    score: agent.score,
    onTime: agent.record.onTime,
    delivered: agent.record.delivered,
    disputes: agent.record.disputes,
    deliverySeconds: agent.record.deliverySeconds,
    responseSeconds: agent.record.responseSeconds,
    totalJobs: agent.totalJobs,
    earned: agent.totalEarnedMicro.toString(),
    undelivered: agent.undeliveredJobs ?? 0,
    premium: agent.isPremium,
    approval: agent.isApproved ? 'APPROVED' : 'PENDING',
    paused: agent.isPaused ? 'OWNER' : null,
    online: agent.online ?? null,
    language: agent.language ?? 'en',
    createdAt: agent.createdAt,
  }))
  await db.run(sql`
    insert into agents (id, owner_id, wallet_address, provider_wallet_id, name, description, category, category_key,
      skills, skill_keys, services, service_terms, lowest_price_micro, x402_enabled, owner_active, approval_status, paused_by,
      is_premium, rating_sum, review_count, total_jobs, total_earned_micro, undelivered_jobs, created_at, score, on_time_count, timed_count,
      delivered_count, deliverable_count, dispute_count, disputable_count, delivery_seconds, delivery_samples,
      response_seconds, response_samples, online, language)
    select id, ${ownerId}, wallet, id, name, description, category, "categoryKey", skills, "skillKeys", services, terms, price, x402,
      true, approval, paused, premium, "ratingSum", "reviewCount", "totalJobs", earned, undelivered, "createdAt", score, "onTime", 10, delivered, 10,
      disputes, 10, "deliverySeconds", 10, "responseSeconds", 10, online, language
    from jsonb_to_recordset(${sql.json(rows)}::jsonb) as (
      id text, wallet text, name text, description text, category text, "categoryKey" text, skills text[],
      "skillKeys" text[], services jsonb, terms json, price bigint, x402 boolean, "ratingSum" integer, "reviewCount" integer,
      "totalJobs" integer, earned bigint, undelivered integer, premium boolean, approval text, paused text, "createdAt" timestamptz,
      score float8, "onTime" integer, delivered integer, disputes integer, "deliverySeconds" float8, "responseSeconds" float8, online boolean, language text)`)
}
