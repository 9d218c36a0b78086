import { type Address, concat, encodeFunctionData, type Hex } from 'viem'
import { safeAbi } from '../../abis.ts'
import { callTo, type PreparedCall } from '../../preparedCall.ts'
import type { SafeTransaction } from '../../typed-data/buildSafeTransaction.ts'

export type SafeSignature = { owner: Address; signature: Hex }

/** Anyone: has the Safe make the call that enough of its owners signed. The Safe wants the signatures sorted by owner. */
export const prepareSafeExecution = ({
  transaction: { domain, message },
  signatures,
}: {
  transaction: SafeTransaction
  signatures: readonly SafeSignature[]
}): PreparedCall => {
  const sorted = signatures.toSorted((a, b) => (BigInt(a.owner) < BigInt(b.owner) ? -1 : 1))
  const { to, value, data, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver } = message
  return callTo(
    domain.verifyingContract,
    encodeFunctionData({
      abi: safeAbi,
      functionName: 'execTransaction',
      args: [
        to,
        value,
        data,
        operation,
        safeTxGas,
        baseGas,
        gasPrice,
        gasToken,
        refundReceiver,
        concat(sorted.map(({ signature }) => signature)),
      ],
    }),
  )
}
