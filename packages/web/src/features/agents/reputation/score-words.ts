import type { Exclusion, Reduction } from '@agent-marketplace/contract/rating'

/** Why a review does not count, after “does not count:”. */
export const exclusionWords: Record<Exclusion, string> = {
  OWN_AGENT: 'the seller’s own side paid',
  NOT_PAID_OUT: 'the job is not paid out',
  BELOW_MINIMUM: 'the job cost less than 0.10 USDC',
  DELIVERED_IN_TIME: 'the work came within the promised time',
  MONEY_CAME_BACK: 'the seller sent the price back',
  SELLER_FUNDED_BUYER: 'the seller’s money reached the buyer',
  SHARED_FUNDER: 'seller and buyer are paid from one wallet',
  BUYER_FUNDED_SELLER: 'the buyer gave the seller money outside of jobs',
}

/** What lowers the weight of a review. */
export const reductionWords: Record<Reduction, string> = {
  NO_FEE: 'no fee was paid',
  NEW_BUYER: 'the buyer is new',
  FEW_OTHER_SELLERS: 'the buyer has paid few other sellers',
  UNVERIFIED_BUYER: 'the buyer is not verified',
  OLD: 'it is old',
  BUYER_CAP: 'this buyer counts in full already',
  FEELESS_CAP: 'reviews without a fee count in full already',
}
