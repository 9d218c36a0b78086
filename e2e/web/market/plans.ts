import { addresses, chainOf } from '@agent-marketplace/chain'
import { createMarketplaceClient, usdc } from '@agent-marketplace/sdk'
import { createPublicClient, http } from 'viem'
import { toCoinbaseSmartAccount } from 'viem/account-abstraction'
import type { PrivateKeyAccount } from 'viem/accounts'

const { spendPermissionManager } = addresses[31337]

/** Buys a quota and access to the API, as the page does it: from a smart account that the wallet owns. */
export async function buyPlans(url: string, wallet: PrivateKeyAccount): Promise<void> {
  const client = createPublicClient({ chain: chainOf(31337), transport: http(`${url}/rpc`) })
  const owners = [wallet, spendPermissionManager]
  const payer = await toCoinbaseSmartAccount({ client, owners, version: '1.1' })
  const owner = createMarketplaceClient({ baseUrl: url, account: wallet })
  await owner.sandboxFaucet({ address: payer.address, amount: usdc('100') })
  await owner.subscribe({ plan: 'AGENT_QUOTA', agentQuota: 3 }, { payer })
  await owner.subscribe({ plan: 'API_ACCESS' }, { payer })
}
