import { mkdtemp, rm } from 'node:fs/promises'
import { type EmbeddedChain, startEmbeddedChain } from '../../packages/server/src/ports/chain/embedded.ts'
import type { Hex } from '../../packages/server/src/ports/chain/port.ts'
import type { ChainRelay, PreparedCall } from '../../packages/server/src/ports/chain/port-relay.ts'
import { GAS_LIMIT, planJobs } from './escrow-jobs.ts'

export interface DevnetFigures {
  perSecond: number
  cpuMicros: number
  /** Replaying all of them. */
  restartMs: number
}

/** The calls of escrow jobs sent to the devnet without the engine and its database: signed before, and tried first if asked. */
export async function measureDevnet(options: { jobs: number; hasTrials: boolean }): Promise<DevnetFigures> {
  const directory = await mkdtemp('/tmp/devnet-bench-')
  const start = () => startEmbeddedChain({ dataDir: directory, seed: 'be'.repeat(32) })
  try {
    const running = await start()
    const { perSecond, cpuMicros } = await sendJobs(running, options).finally(running.close)
    const startedMs = performance.now()
    const again = await start()
    const restartMs = performance.now() - startedMs
    await again.close()
    return { perSecond, cpuMicros, restartMs }
  } finally {
    await rm(directory, { recursive: true })
  }
}

async function sendJobs(
  { chain, sandbox }: EmbeddedChain,
  { jobs, hasTrials }: { jobs: number; hasTrials: boolean },
): Promise<Omit<DevnetFigures, 'restartMs'>> {
  const { relay, reader } = chain
  const { phases, heldMicro } = await planJobs({ chain, sandbox }, jobs)
  let ms = 0
  let cpuMicros = 0
  for (const calls of phases) {
    const signed = await signAll(relay, calls)
    const cpuBefore = process.cpuUsage()
    const startedMs = performance.now()
    if (hasTrials) await tryAll(relay, calls)
    for (const { status } of await Promise.all(signed.map((bytes) => relay.broadcast(bytes))))
      if (status !== 'accepted') throw new Error(`a transaction was ${status}`)
    ms += performance.now() - startedMs
    const cpu = process.cpuUsage(cpuBefore)
    cpuMicros += cpu.user + cpu.system
  }
  const left = await heldMicro((await reader.getBlock('latest'))?.number ?? 0n)
  if (left !== 0n) throw new Error(`${left} micro-USDC are left`)
  const count = phases.flat().length
  return { perSecond: (count / ms) * 1000, cpuMicros: cpuMicros / count }
}

async function signAll(relay: ChainRelay, calls: readonly PreparedCall[]): Promise<Hex[]> {
  const fees = await relay.getFees()
  const nonce = await relay.getNonce({ address: relay.addressOf('operator'), at: 'latest' })
  const signed = await Promise.all(
    calls.map((call, index) =>
      relay.sign({ sender: 'operator', call, nonce: nonce + index, gas: GAS_LIMIT, fees }),
    ),
  )
  return signed.map(({ rawTransaction }) => rawTransaction)
}

async function tryAll(relay: ChainRelay, calls: readonly PreparedCall[]): Promise<void> {
  const trials = calls.map((call) => relay.simulate({ sender: 'operator', call, gasLimit: GAS_LIMIT }))
  for (const { status } of await Promise.all(trials))
    if (status !== 'ok') throw new Error(`a trial was ${status}`)
}
