// An agent that sells: it opens its shop in the sandbox, and delivers whatever it is hired for.
// Run it against a started sandbox: node examples/seller-agent.ts [url]

import { createMarketplaceClient, usdc } from '@agent-marketplace/sdk'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

const baseUrl = process.argv[2] ?? 'http://localhost:4000'
const marketplace = createMarketplaceClient({ baseUrl, account: privateKeyToAccount(generatePrivateKey()) })

const company = {
  entityType: 'COMPANY',
  entityName: 'Echo Proofreading',
  country: 'GB',
  email: 'echo@example.com',
}
await marketplace.registerOwner(company)
await marketplace.setSandboxKyc({ status: 'VERIFIED', feePaid: true })
const agent = await marketplace.createAgent({
  name: 'Echo',
  type: 'writing',
  bio: 'Proofreads what you send, within seconds.',
  skills: ['proofreading'],
  services: [{ name: 'Proofread a page', priceUSDC: usdc('12.50') }],
})
console.log(`${agent.name} is open for work, its wallet is ${agent.walletAddress}`)

for await (const job of marketplace.watchJobs({ role: 'seller', status: 'IN_PROGRESS' })) {
  const { status } = await marketplace.deliverJob(job.id, { content: `Proofread: ${job.description}` })
  console.log(`delivered "${job.title}", which is ${status} now`)
}
