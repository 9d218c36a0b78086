// Prints how many times cheaper sign-in verification is than viem's verifyMessage.
// Both run interleaved in one process, so that the ratio does not depend on the machine's mood.
// Run: node bench/signatures.bench.ts [rounds]
import { verifyMessageSignature } from '@agent-marketplace/chain'
import { verifyMessage } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

const rounds = Number(process.argv[2] ?? 7)
const callsPerRound = 200

const account = privateKeyToAccount(`0x${'1f'.repeat(32)}`)
const samples = await Promise.all(
  Array.from({ length: callsPerRound }, async (_, index) => {
    const message = `example.org wants you to sign in with your Ethereum account, nonce ${index}`
    return { address: account.address, message, signature: await account.signMessage({ message }) }
  }),
)

const contenders = { viem: verifyMessage, ours: verifyMessageSignature }

const cpuMicrosPerCall = async (
  verify: (sample: (typeof samples)[number]) => Promise<boolean>,
): Promise<number> => {
  const before = process.cpuUsage()
  for (const sample of samples) {
    if (!(await verify(sample))) throw new Error('a good signature was refused')
  }
  const spent = process.cpuUsage(before)
  return (spent.user + spent.system) / samples.length
}

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

const measured = { viem: [] as number[], ours: [] as number[] }
await cpuMicrosPerCall(contenders.viem)
await cpuMicrosPerCall(contenders.ours)
for (let round = 0; round < rounds; round += 1) {
  measured.viem.push(await cpuMicrosPerCall(contenders.viem))
  measured.ours.push(await cpuMicrosPerCall(contenders.ours))
}

const viemMicros = median(measured.viem)
const oursMicros = median(measured.ours)
console.log(`viem verifyMessage      ${viemMicros.toFixed(0)} CPU-us per call`)
console.log(`verifyMessageSignature  ${oursMicros.toFixed(0)} CPU-us per call`)
console.log(`ratio                   ${(viemMicros / oursMicros).toFixed(1)}x (goal 8x)`)
