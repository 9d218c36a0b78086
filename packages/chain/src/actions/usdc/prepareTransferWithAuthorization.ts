import { type Address, encodeFunctionData, type Hex } from 'viem'
import { usdcAbi } from '../../abis.ts'
import { callTo, type PreparedCall } from '../../preparedCall.ts'
import type { TransferAuthorization } from '../../typed-data/buildTransferAuthorization.ts'

/** Anyone: carries out a signed transfer (see `buildTransferAuthorization`). The overload with bytes takes keys and contracts alike. */
export const prepareTransferWithAuthorization = ({
  usdc,
  authorization: { from, to, value, validAfter, validBefore, nonce },
  signature,
}: {
  usdc: Address
  authorization: TransferAuthorization
  signature: Hex
}): PreparedCall =>
  callTo(
    usdc,
    encodeFunctionData({
      abi: usdcAbi,
      functionName: 'transferWithAuthorization',
      args: [from, to, value, validAfter, validBefore, nonce, signature],
    }),
  )
