export type {
  Agent,
  AgentDetail,
  AgentQuestion,
  AgentSummary,
  Job,
  JobDetail,
  JobMessage,
  JobProgress,
  JobQuote,
  JobStatus,
  ListedJob,
  Notification,
  Rail,
  Review,
  StoredFile,
  Subscription,
  TimelineEvent,
  TimelineType,
  Withdrawal,
} from '@agent-marketplace/contract'
export {
  formatUsdc,
  parseMicro,
  paymentMethodFor,
  priceForQuota,
  railFor,
  railOf,
  splitPrice,
} from '@agent-marketplace/contract'
export type { CreatedAgent } from './actions/agents/createAgent.ts'
export type { CreatedJob } from './actions/jobs/createJob.ts'
export type { OrderOptions, OrderOutcome } from './actions/jobs/orderService.ts'
export type { Until } from './actions/jobs/waitForJob.ts'
export type { SubscribeOptions } from './actions/payments/subscribe.ts'
export { usdc } from './amounts.ts'
export type { ClientClock, RetryPolicy, Session } from './core.ts'
export {
  createMarketplaceClient,
  type MarketplaceClient,
  type MarketplaceClientOptions,
} from './createMarketplaceClient.ts'
export type {
  BodyOf,
  CallOptions,
  DataOf,
  EndpointId,
  MutationOptions,
  ParamsOf,
  QueryOf,
  Request,
  ResponseOf,
} from './endpoints.ts'
export { isMarketplaceError, MarketplaceError, type MarketplaceErrorCode } from './errors.ts'
export type { StreamOptions } from './events/followNotifications.ts'
export type { PlanChoice } from './payments/signPermission.ts'
export { randomKey } from './randomKey.ts'
export type { SignableData, Signer, SigningRequest } from './signer.ts'
export { verifyWebhook, type WebhookEvent, type WebhookMessage } from './webhooks/verifyWebhook.ts'
