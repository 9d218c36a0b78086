import * as admin from './admin/admin.ts'
import * as adminDisputes from './admin/admin-disputes.ts'
import * as adminHealth from './admin/admin-health.ts'
import * as adminOperations from './admin/admin-operations.ts'
import * as adminRulings from './admin/admin-rulings.ts'
import * as adminWithdrawals from './admin/admin-withdrawals.ts'
import * as agentCallbacks from './agents/agent-callbacks.ts'
import * as agentConnection from './agents/agent-connection.ts'
import * as agentFiles from './agents/agent-files.ts'
import * as agentIdentity from './agents/agent-identity.ts'
import * as agentSearch from './agents/agent-search.ts'
import * as agentViews from './agents/agent-views.ts'
import * as agents from './agents/agents.ts'
import * as connectionTest from './agents/connection-test.ts'
import * as questions from './agents/questions.ts'
import * as reviews from './agents/reputation/reviews.ts'
import * as savedAgents from './agents/saved-agents.ts'
import * as sellers from './agents/sellers.ts'
import type { Endpoint } from './base/endpoint.ts'
import * as disputes from './jobs/disputes.ts'
import * as hireFiles from './jobs/hire-files.ts'
import * as jobActions from './jobs/job-actions.ts'
import * as jobFiles from './jobs/job-files.ts'
import * as jobList from './jobs/job-list.ts'
import * as jobQuote from './jobs/job-quote.ts'
import * as jobs from './jobs/jobs.ts'
import * as messages from './jobs/messages.ts'
import * as orders from './jobs/orders.ts'
import * as progress from './jobs/progress.ts'
import * as serviceDescription from './jobs/service-description.ts'
import * as apiKeys from './owners/api-keys.ts'
import * as auth from './owners/auth.ts'
import * as events from './owners/events.ts'
import * as notifications from './owners/notifications.ts'
import * as oauth from './owners/oauth.ts'
import * as owners from './owners/owners.ts'
import * as requestLog from './owners/request-log.ts'
import * as verification from './owners/verification.ts'
import * as webhooks from './owners/webhooks.ts'
import * as earnings from './payments/earnings.ts'
import * as earningsBreakdown from './payments/earnings-breakdown.ts'
import * as receipts from './payments/receipts.ts'
import * as spending from './payments/spending.ts'
import * as subscriptions from './payments/subscriptions.ts'
import * as withdrawals from './payments/withdrawals.ts'
import * as x402 from './payments/x402.ts'
import * as x402Discovery from './payments/x402-discovery.ts'
import * as x402Facilitator from './payments/x402-facilitator.ts'
import * as feedback from './platform/feedback.ts'
import * as files from './platform/files.ts'
import * as platform from './platform/platform.ts'
import * as sandbox from './platform/sandbox.ts'

/** Every endpoint that is declared, in the order of the docs. */
export const allEndpoints: readonly Endpoint[] = [
  auth.requestNonce,
  auth.verifySignature,
  auth.getSession,
  auth.logout,

  owners.getMe,
  verification.registerOwner,
  verification.payKycFee,

  agentSearch.listAgents,
  agentSearch.searchAgents,
  agents.createAgent,
  agents.getAgent,
  agents.updateAgent,
  agents.pauseAgent,
  agents.resumeAgent,
  reviews.getAgentReputation,
  feedback.getFeedbackDocument,
  reviews.listAgentReviews,
  reviews.listRecentWork,
  questions.askQuestion,
  questions.listAgentQuestions,
  questions.replyToQuestion,
  agentFiles.getAgentRegistrationFile,
  agentFiles.getAgentImage,
  agentFiles.getAgentCard,
  agentIdentity.getAgentIdentity,
  agentIdentity.prepareAgentWallet,
  agentConnection.getAgentConnection,
  agentConnection.setAgentConnection,
  agentConnection.deleteAgentConnection,
  connectionTest.testAgentConnection,

  sellers.getSeller,
  sellers.listSellerAgents,
  sellers.listSellerReviews,
  agentViews.recordAgentView,
  agentViews.getFunnel,
  savedAgents.listSavedAgents,
  savedAgents.saveAgent,
  savedAgents.unsaveAgent,

  jobQuote.quoteJob,
  jobs.createJob,
  jobList.listJobs,
  jobList.exportJobs,
  jobs.getJob,
  jobs.payJob,
  jobActions.deliverJob,
  jobActions.approveJob,
  jobActions.requestJobChanges,
  jobActions.cancelJob,
  jobActions.acceptJob,
  jobActions.declineJob,
  jobActions.refundJob,
  progress.reportProgress,
  progress.listJobProgress,
  messages.sendJobMessage,
  messages.listJobMessages,
  agentCallbacks.deliverByCallback,
  agentCallbacks.reportProgressByCallback,
  agentCallbacks.sendMessageByCallback,
  agentCallbacks.listMessagesByCallback,
  jobFiles.uploadFileByCallback,
  jobFiles.downloadFileByCallback,
  disputes.openDispute,
  disputes.addDisputeEvidence,
  disputes.proposeSettlement,
  disputes.acceptSettlement,
  reviews.reviewJob,
  reviews.replyToReview,

  orders.orderService,
  serviceDescription.describeService,
  orders.getOrder,
  orders.downloadOrderFile,

  hireFiles.uploadHireFile,
  jobFiles.uploadJobFile,
  jobFiles.downloadJobFile,
  files.uploadFile,
  files.downloadFile,

  x402.logX402,
  x402.listX402Transactions,
  x402Facilitator.getX402Supported,
  x402Facilitator.verifyX402Payment,
  x402Facilitator.settleX402Payment,
  x402Discovery.listX402Resources,
  x402Discovery.searchX402Resources,

  subscriptions.getSubscription,
  subscriptions.listSubscriptions,
  subscriptions.quoteSubscription,
  subscriptions.subscribe,
  subscriptions.upgradeSubscription,
  subscriptions.cancelSubscription,

  earnings.listEarnings,
  earnings.getEarningsSeries,
  earningsBreakdown.getEarningsBreakdown,
  earnings.exportEarnings,
  spending.listSpending,
  spending.exportSpending,
  receipts.getReceipt,
  receipts.downloadReceipt,
  withdrawals.createWithdrawal,
  withdrawals.listWithdrawals,
  withdrawals.getWithdrawal,

  notifications.listNotifications,
  notifications.markNotificationRead,
  notifications.markAllNotificationsRead,
  notifications.streamNotifications,

  webhooks.createWebhook,
  webhooks.listWebhooks,
  webhooks.updateWebhook,
  webhooks.deleteWebhook,
  webhooks.rotateWebhookSecret,
  webhooks.testWebhook,
  webhooks.listWebhookDeliveries,
  webhooks.redeliverWebhook,
  events.listEvents,

  apiKeys.createApiKey,
  apiKeys.listApiKeys,
  apiKeys.revokeApiKey,
  apiKeys.getBudget,
  requestLog.listRequests,

  oauth.getConsentRequest,
  oauth.decideConsentRequest,
  oauth.listGrants,
  oauth.revokeGrant,

  platform.getConfig,
  platform.receiveKycWebhook,

  admin.adminListAgents,
  admin.approveAgent,
  admin.rejectAgent,
  admin.adminListOwners,
  admin.suspendOwner,
  admin.reinstateOwner,
  admin.deactivateOwner,
  admin.listAmlFlags,
  admin.resolveAmlFlag,
  admin.hideQuestion,
  adminDisputes.listDisputes,
  adminDisputes.getDispute,
  adminDisputes.proposeRuling,
  adminRulings.getRuling,
  adminRulings.confirmRuling,
  adminWithdrawals.adminListWithdrawals,
  admin.listAuditLog,
  adminHealth.getAdminHealth,
  adminOperations.listDeadLetters,
  adminOperations.retryDeadLetter,
  adminOperations.getEngine,
  adminHealth.getActivity,
  adminOperations.resumeEngine,

  sandbox.setSandboxKyc,
  sandbox.sandboxFaucet,
  sandbox.sandboxClock,
  sandbox.listSandboxWallets,
  sandbox.resetSandbox,
]
