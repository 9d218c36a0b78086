/** What an API key may be limited to. `read` covers every GET; what else covers a call is in its `keys`. */
export const apiKeyScopes = ['read', 'write', 'hire', 'sell'] as const
export type ApiKeyScope = (typeof apiKeyScopes)[number]

/** What a call asks of an API key. */
export interface KeyRule {
  /** Any one of these scopes covers the call. `write` covers every call with a rule, and `read` every GET. */
  scopes: readonly Exclude<ApiKeyScope, 'read' | 'write'>[]
  /**
   * Whether the call makes the key's owner spend. `counted`: within the caps of the key, which the handler takes it from.
   * `uncapped`: not with a key that has caps or a list of whom it may hire, and not by a client of OAuth.
   */
  money: 'none' | 'counted' | 'uncapped'
  /** What it does stays when a grant is revoked, or says who the owner is: no client of OAuth does it. */
  refusesClients?: true
}

/** What buyers do without paying. */
export const byBuyers: KeyRule = { scopes: ['hire'], money: 'none' }
/** What sellers do without paying. */
export const bySellers: KeyRule = { scopes: ['sell'], money: 'none' }
/** What sellers leave to their own programs. */
export const bySellersAlone: KeyRule = { ...bySellers, refusesClients: true }
/** What both sides of a job do without paying. */
export const byBothSides: KeyRule = { scopes: ['hire', 'sell'], money: 'none' }
/** What concerns the whole account, and what no key is used for. */
export const byWholeAccount: KeyRule = { scopes: [], money: 'none' }
/** What buyers pay for. */
export const byPayers: KeyRule = { scopes: ['hire'], money: 'counted' }
