import {
  buildReceiveAuthorization,
  type ChainClient,
  checksumAddress,
  getAgentRegistration,
  getUsdcBalance,
  hashDocument,
  jobKeyOf,
  jobRefOf,
  prepareAcceptSettlement,
  prepareAppendResponse,
  prepareClaim,
  prepareClaimMissedDeadline,
  prepareDepositWithAuthorization,
  prepareGiveFeedback,
  prepareOpenDispute,
  prepareProposeSettlement,
  prepareRefund,
  prepareRefundUndecided,
  prepareRegisterAgent,
  prepareRelease,
  prepareRequestChanges,
  prepareRevokeFeedback,
  prepareRule,
  prepareSetAgentWallet,
  prepareSubmit,
  prepareTransfer,
  prepareTransferAgent,
  prepareTransferWithAuthorization,
  toJsonTypedData,
  type UsdcToken,
} from '@agent-marketplace/chain'
import type { AgentRegistryCalls, EscrowCalls, Hex, ReputationCalls, UsdcCalls } from './port.ts'

/** The escrow's calls, with this service's contract and token filled in. */
export function createEscrowCalls({ escrow, token }: { escrow: Hex; token: UsdcToken }): EscrowCalls {
  return {
    refOf: jobRefOf,
    jobIdOf: (ref) =>
      Buffer.from(ref.slice(2), 'hex')
        .toString('latin1')
        .match(/^([\x21-\x7e]+)\0*$/)?.[1],
    keyOf: (terms) => jobKeyOf({ chainId: token.chainId, escrow, terms }),
    fundingTypedData: (input) => toJsonTypedData(buildReceiveAuthorization({ token, escrow, ...input })),
    depositWithAuthorization: (input) => prepareDepositWithAuthorization({ escrow, ...input }),
    submit: (input) => prepareSubmit({ escrow, ...input }),
    requestChanges: (input) => prepareRequestChanges({ escrow, ...input }),
    release: (input) => prepareRelease({ escrow, ...input }),
    refund: (input) => prepareRefund({ escrow, ...input }),
    claimMissedDeadline: (input) => prepareClaimMissedDeadline({ escrow, ...input }),
    openDispute: (input) => prepareOpenDispute({ escrow, ...input }),
    proposeSettlement: (input) => prepareProposeSettlement({ escrow, ...input }),
    acceptSettlement: (input) => prepareAcceptSettlement({ escrow, ...input }),
    refundUndecided: (input) => prepareRefundUndecided({ escrow, ...input }),
    claim: (input) => prepareClaim({ escrow, ...input }),
    rule: (input) => prepareRule({ escrow, ...input }),
  }
}

export function createUsdcCalls({ client, usdc }: { client: ChainClient; usdc: Hex }): UsdcCalls {
  return {
    balanceOf: (owner) => getUsdcBalance(client, { usdc, owner: checksumAddress(owner) }),
    transferWithAuthorization: (input) => prepareTransferWithAuthorization({ usdc, ...input }),
    transfer: ({ to, amountMicro }) => prepareTransfer({ usdc, to: checksumAddress(to), amountMicro }),
  }
}

export function createAgentRegistryCalls({
  client,
  registry,
  chainId,
  operator,
}: {
  client: ChainClient
  registry: Hex
  chainId: number
  operator: Hex
}): AgentRegistryCalls {
  return {
    reference: `eip155:${chainId}:${registry}`,
    operator: `eip155:${chainId}:${operator}`,
    register: ({ agentUri }) => prepareRegisterAgent({ registry, agentUri }),
    transfer: ({ onChainAgentId, to }) =>
      prepareTransferAgent({ registry, agentId: onChainAgentId, from: operator, to: checksumAddress(to) }),
    entryOf: (agentId) => getAgentRegistration(client, { registry, agentId }),
    setWallet: ({ onChainAgentId, wallet, ...consent }) =>
      prepareSetAgentWallet({
        registry,
        agentId: onChainAgentId,
        newWallet: checksumAddress(wallet),
        ...consent,
      }),
  }
}

/** ERC-8004 writes stars on a scale of 100, under the tag that everybody uses for them. */
const PERCENT_PER_STAR = 20

export function createReputationCalls({
  registry,
  operator,
}: {
  registry: Hex
  operator: Hex
}): ReputationCalls {
  return {
    hashOf: hashDocument,
    valueOf: (stars) => ({ value: stars * PERCENT_PER_STAR, valueDecimals: 0, tag1: 'starred' }),
    giveFeedback: ({ onChainAgentId: agentId, value, uri: feedbackUri, hash: feedbackHash, ...feedback }) =>
      prepareGiveFeedback({
        registry,
        feedback: { ...feedback, agentId, value: BigInt(value), feedbackUri, feedbackHash },
      }),
    appendResponse: ({ onChainAgentId: agentId, feedbackIndex, uri: responseUri, hash: responseHash }) =>
      prepareAppendResponse({
        registry,
        agentId,
        reviewer: operator,
        feedbackIndex,
        responseUri,
        responseHash,
      }),
    revokeFeedback: ({ onChainAgentId: agentId, feedbackIndex }) =>
      prepareRevokeFeedback({ registry, agentId, feedbackIndex }),
  }
}
