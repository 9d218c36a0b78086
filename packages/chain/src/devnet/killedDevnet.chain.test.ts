import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { getTransactionOutcome } from '../actions/transactions/getTransactionOutcome.ts'
import { getUsdcBalance } from '../actions/usdc/getUsdcBalance.ts'
import { startTestDevnet } from '../testing/startTestDevnet.ts'

const trafficScript = fileURLToPath(new URL('../testing/runDevnetTraffic.ts', import.meta.url))

/** Runs traffic in a process of its own until `count` transactions were acknowledged, then kills it without warning. */
const killAfter = async (dataDir: string, count: number): Promise<Hex[]> => {
  const child = spawn(process.execPath, [trafficScript, dataDir], {
    // A devnet does not mind where it is started.
    cwd: tmpdir(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const acknowledged: Hex[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    // A line that the kill cut short was never a promise.
    if (/^0x[0-9a-f]{64}$/.test(line)) acknowledged.push(line as Hex)
    if (acknowledged.length === count) child.kill('SIGKILL')
  }
  const [, signal] = await exited
  expect(signal).toBe('SIGKILL')
  return acknowledged
}

test('kill -9 in mid-traffic, again and again, keeps every acknowledged transaction', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'devnet-killed-'))
  const acknowledged: Hex[] = []
  for (const count of [1, 37, 160]) acknowledged.push(...(await killAfter(dataDir, count)))
  expect(new Set(acknowledged).size).toBe(acknowledged.length)

  const { client, devnet, stop } = await startTestDevnet(dataDir)
  for (const hash of acknowledged) {
    expect(await getTransactionOutcome(client, { hash })).toMatchObject({ status: 'success' })
  }
  // Whatever else reached the journal without its response getting out is there once, not twice.
  const received = await getUsdcBalance(client, {
    usdc: devnet.addresses.usdc,
    owner: devnet.roles.treasury.address,
  })
  expect(received).toBeGreaterThanOrEqual(BigInt(acknowledged.length))
  expect(received).toBeLessThanOrEqual(BigInt(acknowledged.length + 3 * 4))
  await stop()
})
