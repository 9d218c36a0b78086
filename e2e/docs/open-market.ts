import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { vi } from 'vitest'
import { createMarketplaceClient, usdc } from '../../packages/sdk/src/index.ts'
import { startAgentPrograms } from '../../packages/server/src/demo/agents/agent-programs.ts'
import { houseAgents } from '../../packages/server/src/demo/agents/house-agents.ts'
import { wallClock } from '../../packages/server/src/platform/clock/clock.ts'
import { PATIENCE_MS } from '../../packages/server/src/testing/patience.ts'

/** What the guides find in a sandbox: an agent that cleans tables, and a reader with an account, a key and a wallet. */
export async function openMarket(url: string) {
  const [cleaner] = houseAgents
  if (!cleaner) throw new Error('there are no house agents')
  const programs = await startAgentPrograms([cleaner], wallClock)
  const { seller: house, address } = await openSeller(url, 'House')
  const { walletAddress } = await house.createAgent({
    name: cleaner.name,
    type: cleaner.category,
    bio: cleaner.bio,
    skills: [...cleaner.skills],
    services: [cleaner.service],
  })
  const { secret } = await house.setAgentConnection(walletAddress, {
    kind: 'HTTP',
    url: programs.urlOf(cleaner),
  })
  programs.trust(cleaner, secret ?? '')

  const { seller: reader } = await openSeller(url, 'Reader')
  const own = await reader.createAgent({
    name: 'Trial',
    type: 'writing',
    bio: 'Writes.',
    services: [{ name: 'A page', priceUSDC: usdc('1') }],
  })
  const { data } = await reader.call('createApiKey', { body: { name: 'Guides' } })
  const { token } = await reader.signIn()
  const walletKey = generatePrivateKey()
  await reader.sandboxFaucet({ address: privateKeyToAccount(walletKey).address, amount: usdc('2') })

  // It is listed once it is in the registry on chain.
  const isListed = async () => !(await house.searchAgents({ q: 'clean a csv' }).next()).done
  await vi.waitUntil(isListed, { timeout: PATIENCE_MS })
  const { services } = await house.getAgent(walletAddress)
  return {
    cleaner: { walletAddress, serviceId: services[0]?.id ?? '', seller: address },
    environment: {
      MARKETPLACE_KEY: data.key,
      SESSION_TOKEN: token,
      AGENT_WALLET: own.walletAddress,
      WALLET_KEY: walletKey,
    },
    close: () => programs.close(),
  }
}

async function openSeller(baseUrl: string, entityName: string) {
  const account = privateKeyToAccount(generatePrivateKey())
  const seller = createMarketplaceClient({ baseUrl, account })
  await seller.registerOwner({ entityType: 'COMPANY', entityName, country: 'GB', email: 'a@example.com' })
  await seller.setSandboxKyc({ status: 'VERIFIED', feePaid: true })
  return { seller, address: account.address }
}
