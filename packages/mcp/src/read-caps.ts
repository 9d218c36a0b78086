import { isMarketplaceError } from '@agent-marketplace/sdk'
import type { Market } from './tool.ts'
import { type CapsView, credentialCaps } from './views/caps.ts'

/** All caps that hold for this caller now. What was done stands, so caps that cannot be read are left out. */
export async function readCaps(market: Market): Promise<CapsView[]> {
  const caps = [await ofCredential(market), await market.wallet?.readCaps()]
  return caps.filter((each) => each !== undefined)
}

async function ofCredential({ client, hasAccount }: Market): Promise<CapsView | undefined> {
  if (!hasAccount) return undefined
  try {
    const { data } = await client.call('getBudget')
    return data.budget ? credentialCaps(data.budget) : undefined
  } catch (error) {
    if (isMarketplaceError(error)) return undefined
    throw error
  }
}
