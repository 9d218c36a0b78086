import { type Address, encodeFunctionData } from 'viem'
import { usdcAbi } from '../../abis.ts'
import { callTo, type PreparedCall } from '../../preparedCall.ts'

export const prepareTransfer = ({
  usdc,
  to,
  amountMicro,
}: {
  usdc: Address
  to: Address
  amountMicro: bigint
}): PreparedCall =>
  callTo(usdc, encodeFunctionData({ abi: usdcAbi, functionName: 'transfer', args: [to, amountMicro] }))
