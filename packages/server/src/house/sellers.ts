/** What features may know, and show, of the owner behind an agent. */
export interface KnownSeller {
  walletAddress: string
  /** The legal name that identity verification vouches for; null without one, and for persons. */
  verifiedBusiness: string | null
}

/** What an owner's agents have to show for themselves together, of counts that are kept with each agent. */
export interface AgentsRecord {
  /** Null without any. */
  firstCreatedAt: Date | null
  registeredCount: number
  listedCount: number
  ratingSum: number
  reviewCount: number
  completedJobs: number
  cancelledJobs: number
  settledVolumeMicro: bigint
  onTimeCount: number
  timedCount: number
  deliveredCount: number
  deliverableCount: number
  disputeCount: number
  disputableCount: number
}
