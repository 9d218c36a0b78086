import { type Address, type Hex, type Log, parseEventLogs } from 'viem'
import { usdcAbi } from '../../abis.ts'
import { type EventPlace, placeOf, sentBy } from '../../chainEvent.ts'

export type UsdcTransfer = EventPlace & { from: Address; to: Address; amountMicro: bigint }
export type UsedAuthorization = EventPlace & { authorizer: Address; nonce: Hex }

/** The token's transfers, and the EIP-3009 authorizations that were used, among `logs`. */
export const decodeUsdcEvents = ({
  usdc,
  logs,
}: {
  usdc: Address
  logs: Log[]
}): { transfers: UsdcTransfer[]; authorizations: UsedAuthorization[] } => {
  const own = sentBy(usdc, logs)
  return {
    transfers: parseEventLogs({ abi: usdcAbi, eventName: 'Transfer', logs: own }).map((log) => ({
      ...placeOf(log),
      from: log.args.from,
      to: log.args.to,
      amountMicro: log.args.value,
    })),
    authorizations: parseEventLogs({ abi: usdcAbi, eventName: 'AuthorizationUsed', logs: own }).map(
      (log) => ({
        ...placeOf(log),
        ...log.args,
      }),
    ),
  }
}
