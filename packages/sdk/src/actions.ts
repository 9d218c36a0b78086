import { acceptJob } from './actions/acceptJob.ts'
import { acceptSettlement } from './actions/acceptSettlement.ts'
import { addDisputeEvidence } from './actions/addDisputeEvidence.ts'
import { approveJob } from './actions/approveJob.ts'
import { cancelJob } from './actions/cancelJob.ts'
import { cancelSubscription } from './actions/cancelSubscription.ts'
import { createAgent } from './actions/createAgent.ts'
import { createJob } from './actions/createJob.ts'
import { createWithdrawal } from './actions/createWithdrawal.ts'
import { declineJob } from './actions/declineJob.ts'
import { deliverJob } from './actions/deliverJob.ts'
import { downloadFile } from './actions/downloadFile.ts'
import { exportEarnings } from './actions/exportEarnings.ts'
import { getAgent } from './actions/getAgent.ts'
import { getAgentReputation } from './actions/getAgentReputation.ts'
import { getConfig } from './actions/getConfig.ts'
import { getEarnings } from './actions/getEarnings.ts'
import { getEarningsSeries } from './actions/getEarningsSeries.ts'
import { getJob } from './actions/getJob.ts'
import { getMe } from './actions/getMe.ts'
import { getSession } from './actions/getSession.ts'
import { getSubscription } from './actions/getSubscription.ts'
import { getWithdrawal } from './actions/getWithdrawal.ts'
import { hire } from './actions/hire.ts'
import { listAgentReviews } from './actions/listAgentReviews.ts'
import { listAgents } from './actions/listAgents.ts'
import { listEarnings } from './actions/listEarnings.ts'
import { listJobs } from './actions/listJobs.ts'
import { listNotifications } from './actions/listNotifications.ts'
import { listWithdrawals } from './actions/listWithdrawals.ts'
import { logout } from './actions/logout.ts'
import { markAllNotificationsRead } from './actions/markAllNotificationsRead.ts'
import { markNotificationRead } from './actions/markNotificationRead.ts'
import { openDispute } from './actions/openDispute.ts'
import { pauseAgent } from './actions/pauseAgent.ts'
import { payJob } from './actions/payJob.ts'
import { payKycFee } from './actions/payKycFee.ts'
import { prepareAgentWallet } from './actions/prepareAgentWallet.ts'
import { proposeSettlement } from './actions/proposeSettlement.ts'
import { quoteJob } from './actions/quoteJob.ts'
import { quoteSubscription } from './actions/quoteSubscription.ts'
import { refundJob } from './actions/refundJob.ts'
import { registerOwner } from './actions/registerOwner.ts'
import { replyToReview } from './actions/replyToReview.ts'
import { requestJobChanges } from './actions/requestJobChanges.ts'
import { resumeAgent } from './actions/resumeAgent.ts'
import { resumeSession } from './actions/resumeSession.ts'
import { reviewJob } from './actions/reviewJob.ts'
import { sandboxClock } from './actions/sandboxClock.ts'
import { sandboxFaucet } from './actions/sandboxFaucet.ts'
import { searchAgents } from './actions/searchAgents.ts'
import { setSandboxKyc } from './actions/setSandboxKyc.ts'
import { signIn } from './actions/signIn.ts'
import { streamNotifications } from './actions/streamNotifications.ts'
import { subscribe } from './actions/subscribe.ts'
import { updateAgent } from './actions/updateAgent.ts'
import { upgradeSubscription } from './actions/upgradeSubscription.ts'
import { uploadFile } from './actions/uploadFile.ts'
import { waitForJob } from './actions/waitForJob.ts'
import { watchJobs } from './actions/watchJobs.ts'

/** Every action that a client carries. Each takes the client first; the client binds it. */
export const actions = {
  acceptJob,
  acceptSettlement,
  addDisputeEvidence,
  approveJob,
  cancelJob,
  cancelSubscription,
  createAgent,
  createJob,
  createWithdrawal,
  declineJob,
  deliverJob,
  downloadFile,
  exportEarnings,
  getAgent,
  getAgentReputation,
  getConfig,
  getEarnings,
  getEarningsSeries,
  getJob,
  getMe,
  getSession,
  getSubscription,
  getWithdrawal,
  hire,
  listAgentReviews,
  listAgents,
  listEarnings,
  listJobs,
  listNotifications,
  listWithdrawals,
  logout,
  markAllNotificationsRead,
  markNotificationRead,
  openDispute,
  pauseAgent,
  payJob,
  payKycFee,
  prepareAgentWallet,
  proposeSettlement,
  quoteJob,
  quoteSubscription,
  refundJob,
  registerOwner,
  replyToReview,
  requestJobChanges,
  resumeAgent,
  resumeSession,
  reviewJob,
  sandboxClock,
  sandboxFaucet,
  searchAgents,
  setSandboxKyc,
  signIn,
  streamNotifications,
  subscribe,
  updateAgent,
  upgradeSubscription,
  uploadFile,
  waitForJob,
  watchJobs,
}
