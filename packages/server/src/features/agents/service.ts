import {
  type AgentDetail,
  type ApprovalStatus,
  listAgents,
  type OwnAgent,
  searchAgents,
} from '@agent-marketplace/contract'
import { addSeconds } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import { createReads } from '../../platform/db/replicas/reads.ts'
import type { Replicas } from '../../platform/db/replicas/replicas.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { firstPages } from '../../platform/fast/first-pages.ts'
import { createHotPages } from '../../platform/fast/hot-pages.ts'
import { createKept } from '../../platform/fast/kept.ts'
import { type ApprovalDeps, createApproval } from './lifecycle/approval.ts'
import { type CreationDeps, createCreation } from './lifecycle/creation.ts'
import { createIdentity, type IdentityDeps } from './lifecycle/identity.ts'
import { createPausing } from './lifecycle/pausing.ts'
import { expirePremium, removeReservations } from './lifecycle/quota-store.ts'
import { type RegistrationDeps, registrationKinds } from './lifecycle/registration.ts'
import { type ApprovalPage, countForApproval, listForApproval, saveOnline } from './lifecycle/state-store.ts'
import { createUndelivered } from './lifecycle/undelivered.ts'
import { createUpdating } from './lifecycle/updating.ts'
import { listAgentsOf, lockAgent, type PageParts } from './lookup-store.ts'
import { checkOwner } from './ownership.ts'
import type { HistoryDeps } from './reading/detail.ts'
import { findFacts, findOwnFacts } from './reading/facts.ts'
import { KEPT_PAGE_BYTES, type KeptPages } from './reading/kept-pages.ts'
import { type AgentPages, createAgentPages } from './reading/pages.ts'
import { presentOwnAgent } from './reading/present.ts'
import { KEPT_SUMMARY_BYTES, type KeptSummaries } from './reading/summaries.ts'
import { createViews } from './reading/views.ts'
import type { AgentSearchDeps } from './search/search.ts'
import { refreshSearchTexts } from './search/search-texts.ts'
import * as totals from './totals.ts'

/**
 * Agents. It promises: an agent has its wallet before anyone sees it, and a quota of n never runs n + 1 agents; lists
 * and search show approved, running agents of active owners and nobody else's; what is private stays with the owner.
 */
export interface AgentsDeps
  extends CreationDeps,
    HistoryDeps,
    PageParts,
    Omit<RegistrationDeps, 'onRegistered'>,
    Omit<IdentityDeps, 'db'>,
    Pick<AgentSearchDeps, 'meaning'>,
    Pick<ApprovalDeps, 'approvesItself'> {
  db: Database
  intents: RegistrationDeps['intents'] & IdentityDeps['intents']
  registry: RegistrationDeps['registry'] & IdentityDeps['registry']
  wallets: CreationDeps['wallets'] & IdentityDeps['wallets']
  /** A pool of its own with a short statement timeout, so that a slow search holds nothing else up. */
  searchDb: Database
  /** Undefined where everything is read from the primary. */
  replicas: Replicas | undefined
  cursorSecret: string
}

/** First pages, whatever they are filtered by. */
const hotUrls = firstPages([listAgents, searchAgents])

const RESERVATION_SECONDS = 2 * 24 * 3600

export function createAgentsService(deps: AgentsDeps) {
  const { db, clock } = deps
  const hotPages = createHotPages({ clock, urls: hotUrls })
  const onListingChange = (tx: Transaction) => tx.afterCommit(hotPages.clear)

  const keptPages: KeptPages = createKept({ maxBytes: KEPT_PAGE_BYTES })
  const keptSummaries: KeptSummaries = createKept({ maxBytes: KEPT_SUMMARY_BYTES })
  const reads = createReads(deps.replicas, deps, (sources) =>
    createAgentPages({ ...deps, ...sources, keptPages, keptSummaries }),
  )
  const onPrimary = reads.primary
  const { existing } = onPrimary
  const approval = createApproval({ ...deps, onListingChange })
  const identity = createIdentity(deps)
  const pausing = createPausing({ ...deps, onListingChange })
  const updating = createUpdating({ ...deps, existing, onListingChange })
  const { privyDetail, privyDetails } = createViews(deps)

  return {
    /** For the money engine. */
    intentKinds: [
      ...registrationKinds({ ...deps, onRegistered: approval.onRegistered }),
      identity.intentKind,
    ],

    create: createCreation(deps),
    /** What everyone may read, from a replica where one shows all changes of this process and what `mustShow` asks for. */
    pages: <T>(mustShow: bigint | undefined, read: (pages: AgentPages) => Promise<T>): Promise<T> =>
      reads({ position: mustShow, sinceMs: hotPages.changedAtMs() }, read),
    /** The same from the primary, for what decides. */
    ...onPrimary,

    /** After a change, for the owner. */
    privyDetail,

    update: updating.update,
    pause: pausing.pause,
    resume: pausing.resume,
    pauseAfterFailures: pausing.pauseAfterFailures,
    /** Whether its program responds; null where that is unknown. */
    async saveOnline(tx: Transaction, agentId: string, online: boolean | null): Promise<void> {
      if (await saveOnline(tx, agentId, online)) onListingChange(tx)
    },

    async identityOf(wallet: string, ownerId: string) {
      const { row } = await existing(wallet)
      checkOwner(row, ownerId)
      return identity.identityOf(row)
    },

    async prepareWallet(wallet: string, ownerId: string) {
      const { row } = await existing(wallet)
      checkOwner(row, ownerId)
      const prepared = await identity.prepare(row)
      await db.transaction((tx) => identity.setByItself(tx, row.id, prepared.identity))
      return prepared
    },

    /** For other features. */
    agentOf: findFacts,
    ownAgentOf: findOwnFacts,
    walletLimitsOf: updating.walletLimitsOf,
    agentsOf: async (ownerId: string): Promise<OwnAgent[]> =>
      (await listAgentsOf(db, ownerId)).map(presentOwnAgent),
    pauseAgentsBeyond: pausing.pauseBeyond,
    resumeAgentsUpTo: pausing.resumeUpTo,
    setPremiumUntil: pausing.setPremiumUntil,
    followUndelivered: createUndelivered({ ...deps, onListingChange }),
    ...totals,

    /** For admins. */
    lockAgent: async (tx: Queryable, agentId: string): Promise<void> => void (await lockAgent(tx, agentId)),
    lockApprovalStatus: async (tx: Queryable, agentId: string): Promise<ApprovalStatus | undefined> =>
      (await lockAgent(tx, agentId))?.approvalStatus,
    approveAgent: async (tx: Transaction, agentId: string) =>
      privyDetail(tx, await approval.approve(tx, agentId)),
    rejectAgent: async (tx: Transaction, agentId: string, reason: string) =>
      privyDetail(tx, await approval.reject(tx, agentId, reason)),
    async listAgentsForApproval(page: ApprovalPage): Promise<{ agents: AgentDetail[]; total: number }> {
      const [rows, total] = await Promise.all([
        listForApproval(db, page),
        countForApproval(db, page.approvalStatus),
      ])
      return { agents: await privyDetails(db, rows), total }
    },

    hotPages,
    async keepUp(signal: AbortSignal): Promise<void> {
      const now = clock.now()
      if ((await expirePremium(db, now)) > 0) hotPages.clear()
      await removeReservations(db, addSeconds(now, -RESERVATION_SECONDS), signal)
      if ((await refreshSearchTexts(db)) > 0) hotPages.clear()
    },
  }
}

export type AgentsService = ReturnType<typeof createAgentsService>
