import { privateKeyToAccount } from 'viem/accounts'
import { createMarketplaceClient, type MarketplaceClientOptions } from '../createMarketplaceClient.ts'

export const testAccount = privateKeyToAccount(`0x${'5d'.repeat(32)}`)

/** A client whose clock stands still until it sleeps, and which spreads nothing by chance. */
export function createTestClient(
  options: Pick<MarketplaceClientOptions, 'baseUrl'> & Partial<MarketplaceClientOptions>,
) {
  const sleptMs: number[] = []
  let nowMs = Date.parse('2026-11-15T09:00:00Z')
  const client = createMarketplaceClient({
    account: testAccount,
    random: () => 1,
    clock: {
      nowMs: () => nowMs,
      sleep: async (durationMs, signal) => {
        signal?.throwIfAborted()
        sleptMs.push(durationMs)
        nowMs += durationMs
      },
    },
    ...options,
  })
  const pass = (durationMs: number): void => {
    nowMs += durationMs
  }
  return { client, sleptMs, pass }
}
