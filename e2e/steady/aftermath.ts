import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { createBalances } from '../client.ts'
import type { SteadyClient } from './steady-client.ts'
import type { Told } from './story.ts'

export type Addresses = Record<'buyer' | 'agent' | 'treasury' | 'escrow', string>

/** Escrow jobs are paid out by the worker, after their approval was acknowledged. */
export async function waitForReleases(buyer: SteadyClient, told: readonly Told[]): Promise<void> {
  for (const { jobId } of told) {
    for (;;) {
      const { data } = (await buyer.get(`/api/jobs/${jobId}`)).body
      if (data.paymentMethod === 'X402' || data.escrowState === 'RELEASED') break
      await delay(50)
    }
  }
}

/** Whether everything that the service has decided to pay is paid and booked. */
export async function isAllPaid(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from intents where status in ('PENDING', 'SUBMITTED') limit 1`,
  )
  return rowCount === 0
}

interface MoneyCheck {
  url: string
  usdc: string
  addresses: Addresses
  /** What the buyer had before the first job. */
  fundsMicro: bigint
  told: readonly Told[]
}

/** Every micro-USDC of these jobs is where it belongs. */
export async function checkMoney({ url, usdc, addresses, fundsMicro, told }: MoneyCheck): Promise<string[]> {
  const balances = await createBalances(url, usdc)(addresses)
  const sum = (pick: (story: Told) => bigint) => told.reduce((total, story) => total + pick(story), 0n)
  const expected = {
    buyer: fundsMicro - sum(({ priceMicro }) => priceMicro),
    agent: sum(({ netMicro }) => netMicro),
    treasury: sum(({ feeMicro }) => feeMicro),
    escrow: 0n,
  }
  return (Object.keys(expected) as (keyof typeof expected)[])
    .filter((name) => balances[name] !== expected[name])
    .map((name) => `money: ${name} holds ${balances[name]}, not ${expected[name]}`)
}

/** `npm run check:invariants` on the data of a service that has ended: what it printed, and what is wrong. */
export function checkBooks(dataDir: string): { printed: string; problems: string[] } {
  const script = join(import.meta.dirname, '../../packages/server/scripts/check-invariants.ts')
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: '0' }
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], { env, encoding: 'utf8' })
  return {
    printed: stdout.trim(),
    problems: status === 0 ? [] : [`check:invariants: ${stdout}${stderr}`],
  }
}
