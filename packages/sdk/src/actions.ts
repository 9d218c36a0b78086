import * as agents from './actions/agents/agents.ts'
import * as connections from './actions/agents/connections.ts'
import { createAgent } from './actions/agents/createAgent.ts'
import { listAgentQuestions } from './actions/agents/listAgentQuestions.ts'
import { listAgentReviews } from './actions/agents/listAgentReviews.ts'
import { listAgents } from './actions/agents/listAgents.ts'
import { listSellerAgents } from './actions/agents/listSellerAgents.ts'
import { listSellerReviews } from './actions/agents/listSellerReviews.ts'
import { prepareAgentWallet } from './actions/agents/prepareAgentWallet.ts'
import * as questions from './actions/agents/questions.ts'
import { searchAgents } from './actions/agents/searchAgents.ts'
import { createJob } from './actions/jobs/createJob.ts'
import { exportJobs } from './actions/jobs/exportJobs.ts'
import * as jobFiles from './actions/jobs/jobFiles.ts'
import * as jobs from './actions/jobs/jobs.ts'
import { listJobMessages } from './actions/jobs/listJobMessages.ts'
import { listJobProgress } from './actions/jobs/listJobProgress.ts'
import { listJobs } from './actions/jobs/listJobs.ts'
import { orderService } from './actions/jobs/orderService.ts'
import { waitForJob } from './actions/jobs/waitForJob.ts'
import { watchJobs } from './actions/jobs/watchJobs.ts'
import * as account from './actions/owners/account.ts'
import { listNotifications } from './actions/owners/listNotifications.ts'
import { logout } from './actions/owners/logout.ts'
import { resumeSession } from './actions/owners/resumeSession.ts'
import { signIn } from './actions/owners/signIn.ts'
import { streamNotifications } from './actions/owners/streamNotifications.ts'
import { downloadReceipt } from './actions/payments/downloadReceipt.ts'
import { exportEarnings } from './actions/payments/exportEarnings.ts'
import { exportSpending } from './actions/payments/exportSpending.ts'
import { listEarnings } from './actions/payments/listEarnings.ts'
import { listSpending } from './actions/payments/listSpending.ts'
import { listWithdrawals } from './actions/payments/listWithdrawals.ts'
import { downloadFile } from './actions/platform/downloadFile.ts'
import * as sandbox from './actions/platform/sandbox.ts'
import { sandboxFaucet } from './actions/platform/sandboxFaucet.ts'
import { uploadFile } from './actions/platform/uploadFile.ts'
import { later } from './later.ts'

/**
 * Every action that a client carries. Each takes the client first; the client binds it. What pays is loaded when something
 * is paid: a page begins without it.
 */
export const actions = {
  ...account,
  ...agents,
  ...connections,
  ...jobFiles,
  ...jobs,
  ...questions,
  ...sandbox,
  createAgent,
  createJob,
  downloadFile,
  downloadReceipt,
  exportEarnings,
  exportJobs,
  exportSpending,
  hire: later(async () => (await import('./actions/jobs/hire.ts')).hire),
  listAgentQuestions,
  listAgentReviews,
  listAgents,
  listEarnings,
  listJobMessages,
  listJobProgress,
  listJobs,
  listNotifications,
  listSellerAgents,
  listSellerReviews,
  listSpending,
  listWithdrawals,
  logout,
  orderService,
  payJob: later(async () => (await import('./actions/jobs/payJob.ts')).payJob),
  payKycFee: later(async () => (await import('./actions/owners/payKycFee.ts')).payKycFee),
  prepareAgentWallet,
  resumeSession,
  sandboxFaucet,
  searchAgents,
  signIn,
  streamNotifications,
  subscribe: later(async () => (await import('./actions/payments/subscribe.ts')).subscribe),
  upgradeSubscription: later(
    async () => (await import('./actions/payments/upgradeSubscription.ts')).upgradeSubscription,
  ),
  uploadFile,
  waitForJob,
  watchJobs,
}
