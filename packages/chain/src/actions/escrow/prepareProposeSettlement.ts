import type { PreparedCall } from '../../preparedCall.ts'
import { type SettlementShare, settlementCall } from './settlementCall.ts'

/** Either side of a dispute: offers the seller `sellerBps` of the deposit; the newest offer stands. */
export const prepareProposeSettlement = (share: SettlementShare): PreparedCall =>
  settlementCall('proposeSettlement', share)
