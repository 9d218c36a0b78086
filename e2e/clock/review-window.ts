import { endOnSignals } from '../../scripts/testing/end-on-signals.ts'
import { signableOf, signIn } from '../client.ts'
import type { Reply } from '../reply.ts'
import { endServices, freePort, startService, temporaryDirectory } from '../service/service-process.ts'

/**
 * Delivers and moves the sandbox's clock by the review window, over and over and without waiting: `run.ts [rounds]`. Ends
 * with an error unless the work was released every time.
 */
const REVIEW_SECONDS = 7 * 24 * 3600
const PRICE = '150000000'

const rounds = Number(process.argv[2] ?? '100')
if (!Number.isSafeInteger(rounds) || rounds < 1) throw new Error('rounds is a whole number')

const dataOf = <Data>({ status, body }: Reply<{ data: Data }>): Data => {
  if (status >= 300) throw new Error(`${status}: ${JSON.stringify(body)}`)
  return body.data
}

const directory = temporaryDirectory()
const end = async (): Promise<void> => {
  await endServices()
  directory.remove()
}
endOnSignals(end)
try {
  const service = await startService({
    dataDir: `${directory.path}/data`,
    port: await freePort(),
    environment: { RATE_LIMITS: 'off' },
  })
  const [buyer, seller] = [await signIn(service.url), await signIn(service.url)]
  dataOf(await seller.post('/api/sandbox/kyc', { status: 'VERIFIED', feePaid: true }))
  const { agent } = dataOf(
    await seller.post('/api/agents', {
      name: 'Ledger Lark',
      type: 'finance',
      bio: 'Reconciles.',
      skills: ['bookkeeping'],
      services: [],
    }),
  )
  const amount = (BigInt(PRICE) * BigInt(rounds)).toString()
  dataOf(await buyer.post('/api/sandbox/faucet', { address: buyer.wallet.address, amount }))

  const run = async (): Promise<boolean> => {
    const order = { agentId: agent.id, title: 'Reconcile', description: 'All of it.', agreedPrice: PRICE }
    const { jobId, paymentInfo } = dataOf(await buyer.post('/api/jobs', order))
    const typedData = signableOf(paymentInfo.typedData)
    const signature = await buyer.wallet.signTypedData(typedData)
    const payment = { authorization: typedData.message, signature }
    dataOf(await buyer.post(`/api/jobs/${jobId}/pay`, payment))
    dataOf(await seller.post(`/api/jobs/${jobId}/deliver`, { content: 'Done.' }))
    dataOf(await buyer.post('/api/sandbox/clock', { advanceSeconds: REVIEW_SECONDS }))
    const { job } = dataOf(await buyer.get(`/api/jobs/${jobId}`))
    return job.status === 'COMPLETED' && job.escrowState === 'RELEASED'
  }

  let released = 0
  for (let round = 0; round < rounds; round += 1) if (await run()) released += 1
  process.stdout.write(`${JSON.stringify({ rounds, released })}\n`)
  if (released !== rounds) process.exitCode = 1
} finally {
  await end()
}
