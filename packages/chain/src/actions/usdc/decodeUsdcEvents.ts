import type { Address, Hex, Log } from 'viem'
import { type EventPlace, placeOf, sentBy } from '../../chainEvent.ts'
import { createEventParser } from '../../createEventParser.ts'
import { usdcEvents } from '../../generated/events.ts'

export type UsdcTransfer = EventPlace & { from: Address; to: Address; amountMicro: bigint }
export type UsedAuthorization = EventPlace & { authorizer: Address; nonce: Hex }

const parse = createEventParser(usdcEvents)

/** The token's transfers, and the EIP-3009 authorizations that were used, among `logs`. */
export const decodeUsdcEvents = ({
  usdc,
  logs,
}: {
  usdc: Address
  logs: Log[]
}): { transfers: UsdcTransfer[]; authorizations: UsedAuthorization[] } => {
  const own = parse(sentBy(usdc, logs))
  return {
    transfers: own
      .filter((log) => log.eventName === 'Transfer')
      .map((log) => ({ ...placeOf(log), from: log.args.from, to: log.args.to, amountMicro: log.args.value })),
    authorizations: own
      .filter((log) => log.eventName === 'AuthorizationUsed')
      .map((log) => ({ ...placeOf(log), ...log.args })),
  }
}
