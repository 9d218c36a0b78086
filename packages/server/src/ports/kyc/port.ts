/** Identity verification of sellers by an outside provider. */
export interface KycPort {
  /**
   * Starts verification; asking again for the same check of an owner continues the same applicant. Fails with
   * UNAVAILABLE when the provider does not respond, or not as it should.
   */
  startSession(applicant: KycApplicant): Promise<KycSession>
  /** Another address for an applicant whose address has run out. Fails like `startSession`. */
  renewLink(check: KycCheck): Promise<KycLink>
  /** Who the provider has verified an applicant to be, whatever was declared. Fails like `startSession`. */
  identityOf(sessionId: string, declared: KycIdentity): Promise<KycIdentity>
  /**
   * Reads a message of the provider: `forged` when the signature over the raw body is not the provider's, `unrelated`
   * when the provider signed it but it is not about an applicant of ours.
   */
  readWebhook(message: KycWebhook): KycEvent | 'forged' | 'unrelated'
}

/** One owner is checked once, and again for each other name or type that they declare. */
export interface KycCheck {
  ownerId: string
  /** 1 for the first. */
  check: number
}

export interface KycIdentity {
  entityType: string
  entityName: string
}

export interface KycApplicant extends KycCheck, KycIdentity {
  email: string
  phoneNumber: string | undefined
}

export interface KycLink {
  /** Where the applicant goes on. */
  url: string
  /** Until when the address works. */
  urlExpiresAt: Date
}

export interface KycSession extends KycLink {
  /** The provider's applicant id. */
  sessionId: string
}

/** A message as it came in: the bytes that were signed, and lower-case header names. */
export interface KycWebhook {
  rawBody: Uint8Array
  headers: Readonly<Record<string, unknown>>
}

/** What the provider can say about an applicant, from the least to the most careful word. */
export const kycOutcomes = ['IN_REVIEW', 'RETRY', 'VERIFIED', 'REJECTED'] as const
export type KycOutcome = (typeof kycOutcomes)[number]

export interface KycEvent {
  /** Unique per message, also when the provider sends it again. */
  eventId: string
  sessionId: string
  ownerId: string
  /** What the message says about the applicant; undefined for messages that change nothing. */
  outcome: KycOutcome | undefined
  /** When the provider made the message: they arrive late, doubled and out of order. */
  createdAt: Date
  /** What the provider wants the applicant to read. */
  reason: string | undefined
}

export interface SandboxDecision {
  sessionId: string
  ownerId: string
  answer: 'GREEN' | 'RED'
  reason: string | undefined
}

export interface SandboxKyc extends KycPort {
  /** The signed message that the provider sends about a decision made on its page. */
  messageOf(decision: SandboxDecision): KycWebhook
}
