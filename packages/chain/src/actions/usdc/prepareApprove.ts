import { type Address, encodeFunctionData } from 'viem'
import { usdcAbi } from '../../abis.ts'
import { callTo, type PreparedCall } from '../../preparedCall.ts'

export const prepareApprove = ({
  usdc,
  spender,
  amountMicro,
}: {
  usdc: Address
  spender: Address
  amountMicro: bigint
}): PreparedCall =>
  callTo(usdc, encodeFunctionData({ abi: usdcAbi, functionName: 'approve', args: [spender, amountMicro] }))
