import type { Address, Hex, Log } from 'viem'
import { type EventPlace, placeOf, sentBy } from '../../chainEvent.ts'
import { createEventParser } from '../../createEventParser.ts'
import { spendPermissionManagerEvents } from '../../generated/events.ts'
import type { SpendPermission } from '../../typed-data/buildSpendPermission.ts'

/** `amountMicro` of a use is that one pull, not the period's sum. */
export type SpendPermissionEvent = EventPlace & { hash: Hex } & (
    | { name: 'SpendPermissionApproved' | 'SpendPermissionRevoked'; permission: SpendPermission }
    | {
        name: 'SpendPermissionUsed'
        account: Address
        spender: Address
        token: Address
        periodStart: number
        periodEnd: number
        amountMicro: bigint
      }
  )

const parse = createEventParser(spendPermissionManagerEvents)

/** The manager's events among `logs`, in their order. */
export const decodeSpendPermissionEvents = ({
  manager,
  logs,
}: {
  manager: Address
  logs: Log[]
}): SpendPermissionEvent[] =>
  parse(sentBy(manager, logs)).map((log) => {
    const place = { ...placeOf(log), hash: log.args.hash }
    if (log.eventName !== 'SpendPermissionUsed') {
      return { ...place, name: log.eventName, permission: log.args.spendPermission }
    }
    const { account, spender, token, periodSpend } = log.args
    return {
      ...place,
      name: log.eventName,
      account,
      spender,
      token,
      periodStart: periodSpend.start,
      periodEnd: periodSpend.end,
      amountMicro: periodSpend.spend,
    }
  })
