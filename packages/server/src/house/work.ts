/** A job as the agent that does it needs to see it. */
export interface Work {
  title: string
  description: string
  category: string
  service: { id: string; name: string } | null
  input: Record<string, unknown> | null
  outputSchema: Record<string, unknown> | null
  attachments: string[]
  priceMicro: bigint
  dueAt: Date | null
  sellerId: string
  clientId: string
  /** What the client asks to change in the last delivery. */
  changes: string | null
  /** Whether a delivery would be taken now. */
  isOpen: boolean
  /**
   * Whether it says something about the agent when the work does not come: not for a deadline below the time that the
   * agent promises, which is the client's own choice, nor for a job whose client risks too little.
   */
  isTelling: boolean
}
