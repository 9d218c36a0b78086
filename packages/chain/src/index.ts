// The package's one entry. The devnet has its own (./devnet/index.ts), since production must not load it.
export * from './abis.ts'
export { createKeyAccount } from './accounts/createKeyAccount.ts'
export { decodeEscrowEvents, type EscrowEvent } from './actions/escrow/decodeEscrowEvents.ts'
export { getEscrowEvents } from './actions/escrow/getEscrowEvents.ts'
export { type EscrowRoleHolders, getEscrowRoles } from './actions/escrow/getEscrowRoles.ts'
export { type EscrowSettings, getEscrowSettings } from './actions/escrow/getEscrowSettings.ts'
export { type EscrowTotals, getEscrowTotals } from './actions/escrow/getEscrowTotals.ts'
export { type EscrowJob, getJob } from './actions/escrow/getJob.ts'
export { getOwed } from './actions/escrow/getOwed.ts'
export { prepareAcceptSettlement } from './actions/escrow/prepareAcceptSettlement.ts'
export { prepareClaim } from './actions/escrow/prepareClaim.ts'
export { prepareClaimMissedDeadline } from './actions/escrow/prepareClaimMissedDeadline.ts'
export { prepareDeposit } from './actions/escrow/prepareDeposit.ts'
export { prepareDepositWithAuthorization } from './actions/escrow/prepareDepositWithAuthorization.ts'
export { prepareDisableOperator } from './actions/escrow/prepareDisableOperator.ts'
export { prepareOpenDispute } from './actions/escrow/prepareOpenDispute.ts'
export { prepareProposeSettlement } from './actions/escrow/prepareProposeSettlement.ts'
export { prepareRefund } from './actions/escrow/prepareRefund.ts'
export { prepareRefundUndecided } from './actions/escrow/prepareRefundUndecided.ts'
export { prepareRelease } from './actions/escrow/prepareRelease.ts'
export { prepareRequestChanges } from './actions/escrow/prepareRequestChanges.ts'
export { prepareRule } from './actions/escrow/prepareRule.ts'
export { prepareSubmit } from './actions/escrow/prepareSubmit.ts'
export {
  type AgentRegistryEvent,
  decodeAgentRegistryEvents,
} from './actions/registry/decodeAgentRegistryEvents.ts'
export { decodeReputationEvents, type ReputationEvent } from './actions/registry/decodeReputationEvents.ts'
export { type AgentRegistration, getAgentRegistration } from './actions/registry/getAgentRegistration.ts'
export { getAgentRegistryEvents } from './actions/registry/getAgentRegistryEvents.ts'
export { getReputationEvents } from './actions/registry/getReputationEvents.ts'
export { getReputationSummary, type ReputationSummary } from './actions/registry/getReputationSummary.ts'
export { hashDocument } from './actions/registry/hashDocument.ts'
export { prepareAppendResponse } from './actions/registry/prepareAppendResponse.ts'
export { type Feedback, prepareGiveFeedback } from './actions/registry/prepareGiveFeedback.ts'
export { prepareRegisterAgent } from './actions/registry/prepareRegisterAgent.ts'
export { prepareRevokeFeedback } from './actions/registry/prepareRevokeFeedback.ts'
export { prepareSetAgentUri } from './actions/registry/prepareSetAgentUri.ts'
export { prepareSetAgentWallet } from './actions/registry/prepareSetAgentWallet.ts'
export { prepareTransferAgent } from './actions/registry/prepareTransferAgent.ts'
export { findSafeExecution } from './actions/safe/findSafeExecution.ts'
export { getSafeState, type SafeState } from './actions/safe/getSafeState.ts'
export { prepareSafeExecution, type SafeSignature } from './actions/safe/prepareSafeExecution.ts'
export {
  decodeSpendPermissionEvents,
  type SpendPermissionEvent,
} from './actions/spend-permissions/decodeSpendPermissionEvents.ts'
export { type AccountKind, getAccountKind } from './actions/spend-permissions/getAccountKind.ts'
export { getCurrentPeriod, type SpendPeriod } from './actions/spend-permissions/getCurrentPeriod.ts'
export { getSpendPermissionEvents } from './actions/spend-permissions/getSpendPermissionEvents.ts'
export { getSpendPermissionHash } from './actions/spend-permissions/getSpendPermissionHash.ts'
export { isAccountOwner } from './actions/spend-permissions/isAccountOwner.ts'
export { isManagerOwner } from './actions/spend-permissions/isManagerOwner.ts'
export { isSpendPermissionRevoked } from './actions/spend-permissions/isSpendPermissionRevoked.ts'
export { isSpendPermissionValid } from './actions/spend-permissions/isSpendPermissionValid.ts'
export { prepareApproveWithSignature } from './actions/spend-permissions/prepareApproveWithSignature.ts'
export { prepareRevokeAsSpender } from './actions/spend-permissions/prepareRevokeAsSpender.ts'
export { prepareSpend } from './actions/spend-permissions/prepareSpend.ts'
export { simulateSpend } from './actions/spend-permissions/simulateSpend.ts'
export { assertChainId } from './actions/transactions/assertChainId.ts'
export { type BlockHeader, getBlockHeader } from './actions/transactions/getBlockHeader.ts'
export { getBlockLogs, type LogFilter } from './actions/transactions/getBlockLogs.ts'
export { type BlockReceipt, getBlockReceipts } from './actions/transactions/getBlockReceipts.ts'
export { type Fees, getFees } from './actions/transactions/getFees.ts'
export { getNonce } from './actions/transactions/getNonce.ts'
export {
  getTransactionOutcome,
  type TransactionOutcome,
} from './actions/transactions/getTransactionOutcome.ts'
export { raiseFees } from './actions/transactions/raiseFees.ts'
export { type BroadcastResult, sendRawTransaction } from './actions/transactions/sendRawTransaction.ts'
export {
  type SignedTransaction,
  signTransaction,
  type TransactionSigner,
} from './actions/transactions/signTransaction.ts'
export { type Simulation, simulateCall } from './actions/transactions/simulateCall.ts'
export { simulateInOrder } from './actions/transactions/simulateInOrder.ts'
export {
  decodeUsdcEvents,
  type UsdcTransfer,
  type UsedAuthorization,
} from './actions/usdc/decodeUsdcEvents.ts'
export { findTransfers, type TransferLookup } from './actions/usdc/findTransfers.ts'
export { getAuthorizationState } from './actions/usdc/getAuthorizationState.ts'
export { getUsdcBalance } from './actions/usdc/getUsdcBalance.ts'
export { getUsdcBalances } from './actions/usdc/getUsdcBalances.ts'
export { getUsdcDomain, type UsdcDomain } from './actions/usdc/getUsdcDomain.ts'
export { getUsdcEvents } from './actions/usdc/getUsdcEvents.ts'
export { prepareApprove } from './actions/usdc/prepareApprove.ts'
export { prepareTransfer } from './actions/usdc/prepareTransfer.ts'
export { prepareTransferWithAuthorization } from './actions/usdc/prepareTransferWithAuthorization.ts'
export {
  addresses,
  addressesOf,
  type ChainAddresses,
  checksumAddress,
  isSupportedChainId,
  type SupportedChainId,
} from './addresses.ts'
export type { BlockRange, EventPlace } from './chainEvent.ts'
export { chainOf, chains, explorerUrlOf } from './chains.ts'
export { type ChainClient, createChainClient, type Eip1193Provider } from './createChainClient.ts'
export { deployEscrow, type EscrowDeployment } from './deployEscrow.ts'
export { describeFailure, type Refusal } from './describeFailure.ts'
export { ChainError, type ChainErrorCode } from './errors.ts'
export type { JobState, Outcome, Party } from './escrowEnums.ts'
export { type JobTerms, jobKeyOf, jobRefOf } from './escrowJob.ts'
export type { PreparedCall } from './preparedCall.ts'
export { recoverTypedDataSigner } from './signatures/recoverTypedDataSigner.ts'
export { type MessageSignature, verifyMessageSignature } from './signatures/verifyMessageSignature.ts'
export {
  type SmartAccountVerdict,
  verifySmartAccountMessage,
  verifySmartAccountTypedData,
} from './signatures/verifySmartAccountSignature.ts'
export { buildAgentWalletSet } from './typed-data/buildAgentWalletSet.ts'
export { buildReceiveAuthorization } from './typed-data/buildReceiveAuthorization.ts'
export {
  buildSafeTransaction,
  hashSafeTransaction,
  type SafeTransaction,
} from './typed-data/buildSafeTransaction.ts'
export { buildSpendPermission, type SpendPermission } from './typed-data/buildSpendPermission.ts'
export {
  buildTransferAuthorization,
  type TransferAuthorization,
  type UsdcToken,
} from './typed-data/buildTransferAuthorization.ts'
export { type JsonTypedData, toJsonTypedData } from './typed-data/toJsonTypedData.ts'
export { type EscrowRoles, verifyEscrowDeployment } from './verifyEscrowDeployment.ts'
