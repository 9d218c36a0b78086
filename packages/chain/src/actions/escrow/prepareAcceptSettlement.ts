import type { PreparedCall } from '../../preparedCall.ts'
import { type SettlementShare, settlementCall } from './settlementCall.ts'

/** The other side of a dispute: accepts exactly the standing offer. */
export const prepareAcceptSettlement = (share: SettlementShare): PreparedCall =>
  settlementCall('acceptSettlement', share)
