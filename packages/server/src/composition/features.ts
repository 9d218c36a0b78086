import { defineFeature as defineA2a } from '../features/a2a/feature.ts'
import { defineFeature as defineAdmin } from '../features/admin/feature.ts'
import { defineFeature as defineAgentViews } from '../features/agent-views/feature.ts'
import { defineFeature as defineAgents } from '../features/agents/feature.ts'
import { defineFeature as defineApiKeys } from '../features/api-keys/feature.ts'
import { defineFeature as defineAuth } from '../features/auth/feature.ts'
import { defineFeature as defineBudgets } from '../features/budgets/feature.ts'
import { defineFeature as defineConnections } from '../features/connections/feature.ts'
import { defineFeature as defineEarnings } from '../features/earnings/feature.ts'
import { defineFeature as defineFacilitator } from '../features/facilitator/feature.ts'
import { defineFeature as defineFiles } from '../features/files/feature.ts'
import { defineFeature as defineHeldPayments } from '../features/held-payments/feature.ts'
import { defineFeature as defineJobFiles } from '../features/job-files/feature.ts'
import { defineFeature as defineJobRoom } from '../features/job-room/feature.ts'
import { roomReads } from '../features/job-room/reads.ts'
import { defineFeature as defineJobs } from '../features/jobs/feature.ts'
import { jobReads } from '../features/jobs/reads.ts'
import { defineFeature as defineKycFee } from '../features/kyc-fee/feature.ts'
import { defineFeature as defineMcp } from '../features/mcp/feature.ts'
import { defineFeature as defineMoneyEngine } from '../features/money-engine/feature.ts'
import { defineFeature as defineMonths } from '../features/months/feature.ts'
import { defineFeature as defineNotifications } from '../features/notifications/feature.ts'
import { defineFeature as defineOAuth } from '../features/oauth/feature.ts'
import { defineFeature as defineOrders } from '../features/orders/feature.ts'
import { defineFeature as defineOwners } from '../features/owners/feature.ts'
import { defineFeature as definePayments } from '../features/payments/feature.ts'
import { defineFeature as definePlatformInfo } from '../features/platform-info/feature.ts'
import { defineFeature as defineProfile } from '../features/profile/feature.ts'
import { defineFeature as defineQuestions } from '../features/questions/feature.ts'
import { defineFeature as defineReceipts } from '../features/receipts/feature.ts'
import { defineFeature as defineReportedPayments } from '../features/reported-payments/feature.ts'
import { defineFeature as defineReputation } from '../features/reputation/feature.ts'
import * as reviews from '../features/reputation/history.ts'
import { defineFeature as defineRequestLog } from '../features/request-log/feature.ts'
import { defineFeature as defineSandbox } from '../features/sandbox/feature.ts'
import { defineFeature as defineSavedAgents } from '../features/saved-agents/feature.ts'
import { defineFeature as defineSellers } from '../features/sellers/feature.ts'
import { defineFeature as defineSessions } from '../features/sessions/feature.ts'
import { defineFeature as defineSpending } from '../features/spending/feature.ts'
import { defineFeature as defineSubscriptions } from '../features/subscriptions/feature.ts'
import { createPlanReads } from '../features/subscriptions/reads.ts'
import { defineFeature as defineWebPage } from '../features/web-page/feature.ts'
import { defineFeature as defineWebhooks } from '../features/webhooks/feature.ts'
import { defineFeature as defineWithdrawals } from '../features/withdrawals/feature.ts'
import type { Feature } from '../house/feature.ts'
import type { Ground } from '../house/ground.ts'
import type { AppDeps } from '../house/outside.ts'
import { createBase } from './base.ts'

/** Every feature, each handed what those before it offer: one that needs a later one does not compile. */
export async function composeFeatures(deps: AppDeps) {
  const features: Feature<unknown>[] = []
  const use = <Api>(feature: Feature<Api>): Api => {
    features.push(feature)
    return feature.api
  }
  const base = await createBase(deps)
  const plans = createPlanReads(base.clock)

  const sessions = use(await defineSessions(base))
  const budgets = use(defineBudgets(base))
  const apiKeys = use(defineApiKeys({ ...base, plans, budgets }))
  const oauth = use(defineOAuth({ ...base, budgets, apiKeys }))
  use(defineRequestLog(base))
  const notifications = use(await defineNotifications({ ...base, sessions, apiKeys, oauth }))
  const { notify, receivers } = use(defineWebhooks({ ...base, notifications }))
  const alert = notifications.alertBy(notify)
  const engine = use(defineMoneyEngine({ ...base, notify, alert, jobs: jobReads }))
  const ground: Ground = { ...base, notify, alert, ...engine }

  const owners = use(defineOwners({ ...ground, sessions }))
  use(defineAuth({ ...ground, sessions, owners }))
  const agents = use(defineAgents({ ...ground, owners, plans, reviews }))
  const sellers = use(defineSellers({ ...ground, owners, agents, reviews }))
  use(defineSavedAgents({ ...ground, agents }))
  use(defineAgentViews({ ...ground, agents }))
  const questions = use(defineQuestions({ ...ground, agents }))
  const paid = use(await definePayments(ground))
  use(defineKycFee({ ...ground, owners, paid }))
  use(defineFacilitator({ ...ground, agents, paid }))
  use(defineReportedPayments({ ...ground, agents, owners }))
  const withdrawals = use(defineWithdrawals({ ...ground, agents, owners, paid }))
  use(defineHeldPayments({ ...ground, agents, owners }))
  const earnings = use(defineEarnings({ ...ground, agents }))
  use(defineSpending(ground))
  use(defineReceipts(ground))
  use(defineProfile({ owners, agents, earnings }))
  use(defineSubscriptions({ ...ground, owners, agents, plans }))
  const files = use(defineFiles({ ...ground, jobs: jobReads, rooms: roomReads }))
  const jobs = use(defineJobs({ ...ground, files, agents, reviews, paid, withdrawals, budgets }))
  const jobFiles = use(defineJobFiles({ ...ground, jobs, files }))
  const room = use(defineJobRoom({ ...ground, jobs, files }))
  const connections = use(defineConnections({ ...ground, jobs, jobFiles, room, agents }))
  const orders = use(
    defineOrders({ ...ground, notifications, owners, agents, paid, jobs, jobFiles, budgets }),
  )
  use(defineA2a({ ...ground, apiKeys, agents, paid, jobs, room, orders, connections, receivers }))
  use(defineReputation({ ...ground, jobs, agents }))
  use(defineAdmin({ ...ground, sessions, agents, questions, jobs, withdrawals }))
  use(defineMcp(ground))
  const { guides } = use(definePlatformInfo(ground))
  use(defineWebPage({ ...ground, agents, sellers, guides }))
  use(defineMonths({ ...ground, retentions: features.flatMap(({ retentions = [] }) => retentions) }))
  use(defineSandbox({ ...ground, owners, ticks: features.flatMap(({ ticks = [] }) => ticks) }))

  return { features, ground, sessions, apiKeys, oauth, connections, payments: paid.payments }
}

export type Composed = Awaited<ReturnType<typeof composeFeatures>>
