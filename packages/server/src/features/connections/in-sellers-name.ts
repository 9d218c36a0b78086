/** What an agent does, it does as the seller, also where the seller has hired it. */
export interface SellersCaller {
  ownerId: string
  isAdmin: false
  side: 'SELLER'
}

export const inSellersName = (ownerId: string): SellersCaller => ({ ownerId, isAdmin: false, side: 'SELLER' })
