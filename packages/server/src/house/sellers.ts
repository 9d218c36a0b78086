/** What features may know, and show, of the owner behind an agent. */
export interface KnownSeller {
  walletAddress: string
  /** The legal name that identity verification vouches for; null without one, and for persons. */
  verifiedBusiness: string | null
}
