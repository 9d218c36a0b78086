import { type Address, type Client, decodeFunctionResult, encodeFunctionData, type Hex } from 'viem'
import { getCode } from 'viem/actions'
import { smartWalletAbi } from '../../abis.ts'
import { describeFailure, type Refusal } from '../../describeFailure.ts'
import { callTo } from '../../preparedCall.ts'
import type { SpendPermission } from '../../typed-data/buildSpendPermission.ts'
import { callInOrder } from './callInOrder.ts'
import { prepareApproveWithSignature } from './prepareApproveWithSignature.ts'

/**
 * Whether the permission's account counts `owner` among its owners. An account that is not there yet is deployed for the
 * question only, by its own signature: so the result comes from the code that would be pulled from, not from anyone's
 * claim. Refused when the signature deploys nothing, or when the account has no such question.
 */
export const isAccountOwner = async (
  client: Client,
  {
    manager,
    permission,
    signature,
    owner,
  }: { manager: Address; permission: SpendPermission; signature: Hex; owner: Address },
): Promise<{ status: 'answered'; isOwner: boolean } | Refusal> => {
  const { account, spender } = permission
  const question = { abi: smartWalletAbi, functionName: 'isOwnerAddress' } as const
  const ask = callTo(account, encodeFunctionData({ ...question, args: [owner] }))
  try {
    const isDeployed = (await getCode(client, { address: account })) !== undefined
    const deploy = isDeployed ? [] : [prepareApproveWithSignature({ manager, permission, signature })]
    const responses = await callInOrder(client, spender, [...deploy, ask])
    const data = responses.at(-1) ?? '0x'
    if (data.length !== 66) return { status: 'refused', reason: 'NO_OWNERS', args: [] }
    return { status: 'answered', isOwner: decodeFunctionResult({ ...question, data }) }
  } catch (error) {
    return describeFailure(error)
  }
}
