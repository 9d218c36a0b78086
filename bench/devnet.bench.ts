// Measures the devnet the way the relayer uses it: signed escrow transactions with explicit nonce, gas and fees, many in
// flight, each acknowledged only after it is synced to disk and mined; then how long the journal takes to replay; then the
// same work as intents of the money engine, with the database in it.
// Run: node bench/devnet.bench.ts [jobs]
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createChainClient,
  getEscrowTotals,
  jobKeyOf,
  jobRefOf,
  type PreparedCall,
  prepareApprove,
  prepareDeposit,
  prepareRelease,
  prepareSubmit,
  sendRawTransaction,
  signTransaction,
} from '@agent-marketplace/chain'
import { createDevnet, deriveRoles } from '@agent-marketplace/chain/devnet'
import { measureRelayer } from './relayer.ts'

const jobs = Number(process.argv[2] ?? 400)
const seed = `0x${'be'.repeat(32)}` as const
const dataDir = await mkdtemp(join(tmpdir(), 'devnet-bench-'))

const timed = async <T>(work: () => Promise<T>): Promise<[T, number]> => {
  const startedMs = performance.now()
  const result = await work()
  return [result, performance.now() - startedMs]
}

const [devnet, startMs] = await timed(() => createDevnet({ dataDir, seed }))
const client = createChainClient({ chainId: devnet.chainId, provider: devnet.provider })
const { escrow, usdc } = devnet.addresses
const { operator: payer, treasury: seller } = deriveRoles(`0x${'ce'.repeat(32)}`)
await devnet.faucet({ address: payer.address, amountMicro: 10n ** 12n })

const signAll = (signer: typeof payer, calls: PreparedCall[], firstNonce: number) =>
  Promise.all(
    calls.map((call, index) =>
      signTransaction(signer, {
        call,
        chainId: devnet.chainId,
        nonce: firstNonce + index,
        gas: 500_000n,
        fees: { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n },
      }),
    ),
  )

const terms = Array.from({ length: jobs }, (_, index) => ({
  jobRef: jobRefOf(`bench-${index}`),
  client: payer.address,
  seller: seller.address,
  agentWallet: seller.address,
  amountMicro: 100_000_000n,
  deadline: 0,
}))
const keys = terms.map((job) => jobKeyOf({ chainId: devnet.chainId, escrow, terms: job }))
const payerCalls = [
  prepareApprove({ usdc, spender: escrow, amountMicro: 10n ** 12n }),
  ...terms.map((job) => prepareDeposit({ escrow, terms: job })),
]
const submits = keys.map((key) => prepareSubmit({ escrow, key, deliveryHash: key }))
const releases = keys.map((key) => prepareRelease({ escrow, key }))
const batches = [
  await signAll(payer, payerCalls, 0),
  await signAll(seller, submits, 0),
  await signAll(payer, releases, payerCalls.length),
]

const cpuBefore = process.cpuUsage()
const [, sendMs] = await timed(async () => {
  for (const batch of batches) {
    const results = await Promise.all(batch.map((signed) => sendRawTransaction(client, signed)))
    const refused = results.find(({ status }) => status !== 'accepted')
    if (refused) throw new Error(`a transaction was ${refused.status}`)
  }
})
const cpuSpent = process.cpuUsage(cpuBefore)
const { heldMicro } = await getEscrowTotals(client, { escrow })
if (heldMicro !== 0n) throw new Error(`${heldMicro} micro-USDC are still held: not every job ran to its end`)
await devnet.close()

const sent = batches.flat().length
const cpuMicrosPerTransaction = (cpuSpent.user + cpuSpent.system) / sent
const [again, replayMs] = await timed(() => createDevnet({ dataDir, seed }))
console.log(`cold start                  ${startMs.toFixed(0)} ms`)
console.log(
  `escrow transactions         ${((sent / sendMs) * 1000).toFixed(0)} per second (${sent} in flight by batch, goal 800)`,
)
console.log(`CPU per transaction         ${cpuMicrosPerTransaction.toFixed(0)} us, all threads`)
console.log(`restart, ${sent} replayed     ${replayMs.toFixed(0)} ms (${again.replayed.blocks} blocks)`)
await again.close()
await rm(dataDir, { recursive: true, force: true })

const relayed = await measureRelayer({ jobs })
console.log(
  `through the relayer         ${relayed.relayedPerSecond.toFixed(0)} per second from stored intent to mined (goal 800)`,
)
console.log(
  `CPU per transaction         ${relayed.relayCpuMicros.toFixed(0)} us, all threads of this process`,
)
console.log(
  `through the whole engine    ${relayed.settledPerSecond.toFixed(0)} per second from stored intent to settled`,
)
