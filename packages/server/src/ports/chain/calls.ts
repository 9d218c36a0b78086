import {
  buildReceiveAuthorization,
  type ChainClient,
  checksumAddress,
  getUsdcBalance,
  jobKeyOf,
  jobRefOf,
  prepareAcceptSettlement,
  prepareClaim,
  prepareClaimMissedDeadline,
  prepareDepositWithAuthorization,
  prepareOpenDispute,
  prepareProposeSettlement,
  prepareRefund,
  prepareRefundUndecided,
  prepareRelease,
  prepareRequestChanges,
  prepareRule,
  prepareSubmit,
  prepareTransferWithAuthorization,
  toJsonTypedData,
  type UsdcToken,
} from '@agent-marketplace/chain'
import type { EscrowCalls, Hex, UsdcCalls } from './port.ts'

/** The escrow's calls, with this service's contract and token filled in. */
export function createEscrowCalls({ escrow, token }: { escrow: Hex; token: UsdcToken }): EscrowCalls {
  return {
    refOf: jobRefOf,
    jobIdOf: (ref) => Buffer.from(ref.slice(2), 'hex').toString('latin1').replace(/\0+$/, ''),
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
  }
}
