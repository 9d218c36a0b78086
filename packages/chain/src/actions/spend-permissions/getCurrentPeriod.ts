import type { Address, Client } from 'viem'
import { readContract } from 'viem/actions'
import { spendPermissionManagerAbi } from '../../abis.ts'
import { describeFailure, type Refusal } from '../../describeFailure.ts'
import type { SpendPermission } from '../../typed-data/buildSpendPermission.ts'

/** The running period, in Unix seconds with `end` excluded, and what was already spent in it. */
export type SpendPeriod = { start: number; end: number; spentMicro: bigint }

/** Refused with `BeforeSpendPermissionStart` or `AfterSpendPermissionEnd` outside the permission's life. */
export const getCurrentPeriod = async (
  client: Client,
  { manager, permission }: { manager: Address; permission: SpendPermission },
): Promise<{ status: 'running'; period: SpendPeriod } | Refusal> => {
  try {
    const { start, end, spend } = await readContract(client, {
      address: manager,
      abi: spendPermissionManagerAbi,
      functionName: 'getCurrentPeriod',
      args: [permission],
    })
    return { status: 'running', period: { start, end, spentMicro: spend } }
  } catch (error) {
    return describeFailure(error)
  }
}
