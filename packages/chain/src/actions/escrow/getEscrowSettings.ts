import type { Address, Client } from 'viem'
import { multicall } from 'viem/actions'
import { escrowAbi } from '../../abis.ts'

/** The escrow's constants and who holds its roles now. */
export type EscrowSettings = {
  token: Address
  operator: Address
  arbiter: Address
  treasury: Address
  feeBps: number
  reviewPeriodSeconds: number
  deadlineGraceSeconds: number
  disputePeriodSeconds: number
  maxChangeRequests: number
}

export const getEscrowSettings = async (
  client: Client,
  { escrow }: { escrow: Address },
): Promise<EscrowSettings> => {
  const contract = { address: escrow, abi: escrowAbi } as const
  const [token, operator, arbiter, treasury, feeBps, review, grace, dispute, maxChangeRequests] =
    await multicall(client, {
      contracts: [
        { ...contract, functionName: 'token' },
        { ...contract, functionName: 'operator' },
        { ...contract, functionName: 'arbiter' },
        { ...contract, functionName: 'treasury' },
        { ...contract, functionName: 'FEE_BPS' },
        { ...contract, functionName: 'REVIEW_PERIOD' },
        { ...contract, functionName: 'DEADLINE_GRACE' },
        { ...contract, functionName: 'DISPUTE_PERIOD' },
        { ...contract, functionName: 'MAX_CHANGE_REQUESTS' },
      ],
      allowFailure: false,
    })
  return {
    token,
    operator,
    arbiter,
    treasury,
    feeBps,
    reviewPeriodSeconds: Number(review),
    deadlineGraceSeconds: Number(grace),
    disputePeriodSeconds: Number(dispute),
    maxChangeRequests,
  }
}
