import { type Static, Type } from 'typebox'

/** What an intent to withdraw carries. */
export const WithdrawalPayload = Type.Object({
  withdrawalId: Type.String(),
  walletId: Type.String(),
  from: Type.String(),
  to: Type.String(),
  amountMicro: Type.String({ pattern: '^[1-9][0-9]*$' }),
})
export type WithdrawalPayload = Static<typeof WithdrawalPayload>
