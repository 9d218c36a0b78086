// An agent that buys: it finds another agent, hires it on both rails, and pays for what is delivered.
// Run it against a started sandbox, with the seller running: node examples/buyer-agent.ts [url]

import { createMarketplaceClient, usdc } from '@agent-marketplace/sdk'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

const baseUrl = process.argv[2] ?? 'http://localhost:4000'
const marketplace = createMarketplaceClient({ baseUrl, account: privateKeyToAccount(generatePrivateKey()) })

await marketplace.sandboxFaucet({ amount: usdc('200') })
const { value: agent } = await marketplace.searchAgents({ skills: 'proofreading', sort: 'newest' }).next()
if (!agent) throw new Error('nobody proofreads yet: start examples/seller-agent.ts')

// Below 100 USDC the price goes straight to the agent by x402; from there on it waits in escrow until the work is approved.
for (const agreedPrice of [usdc('12.50'), usdc('150')]) {
  const order = { agentId: agent.id, title: 'Proofread this', description: 'All is well.', agreedPrice }
  const hired = await marketplace.hire(order)
  const job = await marketplace.waitForJob(hired.id, ['UNDER_REVIEW', 'COMPLETED'])
  console.log(`${agent.name} delivered by ${job.paymentMethod}: ${job.delivery?.content}`)
  if (job.status === 'UNDER_REVIEW') await marketplace.approveJob(job.id)
  await marketplace.reviewJob(job.id, { rating: 5, comment: 'Quick and exact.' })
  const { timeline } = await marketplace.waitForJob(job.id, ({ escrowState }) => escrowState !== 'SUBMITTED')
  for (const { message, txHash } of timeline) if (txHash) console.log(`  ${txHash} ${message}`)
}
