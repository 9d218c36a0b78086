import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { joinRunning } from '../packages/server/scripts/join-running.ts'
import { readConfig } from '../packages/server/src/config/read-config.ts'
import type { Closer } from '../packages/server/src/data.ts'
import { reverseEntry } from '../packages/server/src/money/books/journal.ts'
import { sql } from '../packages/server/src/platform/db/sql.ts'
import { signIn } from './client.ts'
import { builtProgram } from './service/built-program.ts'
import { preparedDirectory } from './service/prepared-directory.ts'
import {
  compileCache,
  endServices,
  freePort,
  type ServiceProcess,
  startService,
} from './service/service-process.ts'

const directory = preparedDirectory()
const dataDir = `${directory.path}/data`
afterAll(async () => {
  await endServices()
  directory.remove()
})

/** Runs a script as a process of its own: its exit code and what it printed. */
async function run(
  script: 'check-invariants' | 'money-reread',
  environment: Record<string, string>,
  ...options: string[]
): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, [builtProgram(`server/scripts/${script}.ts`), ...options], {
    env: { PATH: process.env.PATH, ...compileCache, DATA_DIR: dataDir, ...environment },
    stdio: 'pipe',
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const [code] = await once(child, 'close')
  return { code, output }
}

/** What a node that lied left behind: the books have never seen the transfer. */
async function hideTransfer(environment: Record<string, string>, txHash: string): Promise<void> {
  const closers: Closer[] = []
  try {
    const { db } = await joinRunning(readConfig(environment), closers)
    await expect
      .poll(() => db.rows(sql`select id from journal_entries where tx_hash = ${txHash}`))
      .toHaveLength(1)
    await db.transaction(async (tx) => {
      const { id } = await tx.one<{ id: string }>(
        sql`select id from journal_entries where tx_hash = ${txHash}`,
      )
      await reverseEntry(tx, id, 'hidden by a test')
      await tx.run(sql`update chain_events set is_canonical = false where tx_hash = ${txHash}`)
    })
  } finally {
    for (const close of closers) await close()
  }
}

let service: ServiceProcess
let environment: { DATA_DIR: string; PORT: string }
beforeAll(async () => {
  const port = await freePort()
  environment = { DATA_DIR: dataDir, PORT: String(port) }
  service = await startService({ dataDir, port })
})

test('beside a service whose port it does not know, a command says which setting is missing', async () => {
  const { code, output } = await run('check-invariants', { PORT: String(await freePort()) })
  expect(code).toBe(2)
  expect(output).toContain('Set the PORT or PUBLIC_URL that the service was started with.')
  expect(output).not.toContain('RPC_URL')
})

test('books that miss an event are repaired beside the running service and on its stopped data, and once', async () => {
  const client = await signIn(service.url)
  const { treasury } = (await client.get('/api/config')).body.data.contracts
  const give = async (): Promise<string> => {
    const { body } = await client.post('/api/sandbox/faucet', { address: treasury, amount: '5000000' })
    return body.data.txHash
  }
  await hideTransfer(environment, await give())
  expect(await run('check-invariants', environment)).toMatchObject({ code: 1 })

  const beside = await run('money-reread', environment, '--from', '0')
  expect(beside.output).toContain('A service is at work on these books')
  expect(beside.output).toContain(' 1 were added. Jobs still set aside: 0.')
  expect((await run('money-reread', environment, '--from', '0')).output).toContain(' 0 were added.')

  // Enough blocks that the command says how far it has come.
  const hidden = await give()
  for (let count = 0; count < 45; count += 1) await give()
  await hideTransfer(environment, hidden)
  expect(await service.end('SIGTERM')).toBe(0)
  const alone = await run('money-reread', environment, '--from', '0')
  expect(alone).toMatchObject({ code: 0 })
  expect(alone.output).toMatch(/20 of \d+ blocks compared, \d+ events added so far\./)
  expect(alone.output).toContain(' 1 were added.')
  expect(await run('check-invariants', environment)).toMatchObject({
    code: 0,
    output: expect.stringContaining('rules hold'),
  })
})
