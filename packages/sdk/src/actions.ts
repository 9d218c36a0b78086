import * as account from './actions/account.ts'
import * as agents from './actions/agents.ts'
import * as connections from './actions/connections.ts'
import { createAgent } from './actions/createAgent.ts'
import { createJob } from './actions/createJob.ts'
import { downloadFile } from './actions/downloadFile.ts'
import { downloadReceipt } from './actions/downloadReceipt.ts'
import { exportEarnings } from './actions/exportEarnings.ts'
import { exportJobs } from './actions/exportJobs.ts'
import { exportSpending } from './actions/exportSpending.ts'
import * as jobFiles from './actions/jobFiles.ts'
import * as jobs from './actions/jobs.ts'
import { listAgentQuestions } from './actions/listAgentQuestions.ts'
import { listAgentReviews } from './actions/listAgentReviews.ts'
import { listAgents } from './actions/listAgents.ts'
import { listEarnings } from './actions/listEarnings.ts'
import { listJobMessages } from './actions/listJobMessages.ts'
import { listJobProgress } from './actions/listJobProgress.ts'
import { listJobs } from './actions/listJobs.ts'
import { listNotifications } from './actions/listNotifications.ts'
import { listSellerAgents } from './actions/listSellerAgents.ts'
import { listSellerReviews } from './actions/listSellerReviews.ts'
import { listSpending } from './actions/listSpending.ts'
import { listWithdrawals } from './actions/listWithdrawals.ts'
import { logout } from './actions/logout.ts'
import { orderService } from './actions/orderService.ts'
import { prepareAgentWallet } from './actions/prepareAgentWallet.ts'
import * as questions from './actions/questions.ts'
import { resumeSession } from './actions/resumeSession.ts'
import * as sandbox from './actions/sandbox.ts'
import { sandboxFaucet } from './actions/sandboxFaucet.ts'
import { searchAgents } from './actions/searchAgents.ts'
import { signIn } from './actions/signIn.ts'
import { streamNotifications } from './actions/streamNotifications.ts'
import { uploadFile } from './actions/uploadFile.ts'
import { waitForJob } from './actions/waitForJob.ts'
import { watchJobs } from './actions/watchJobs.ts'
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
  hire: later(async () => (await import('./actions/hire.ts')).hire),
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
  payJob: later(async () => (await import('./actions/payJob.ts')).payJob),
  payKycFee: later(async () => (await import('./actions/payKycFee.ts')).payKycFee),
  prepareAgentWallet,
  resumeSession,
  sandboxFaucet,
  searchAgents,
  signIn,
  streamNotifications,
  subscribe: later(async () => (await import('./actions/subscribe.ts')).subscribe),
  upgradeSubscription: later(
    async () => (await import('./actions/upgradeSubscription.ts')).upgradeSubscription,
  ),
  uploadFile,
  waitForJob,
  watchJobs,
}
