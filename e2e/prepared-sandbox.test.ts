import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { type Client, signIn } from './client.ts'
import { builtProgram } from './service/built-program.ts'
import {
  compileCache,
  endServices,
  freePort,
  type ServiceProcess,
  startService,
  temporaryDirectory,
} from './service/service-process.ts'

const COPIED = 'It begins as a copy of the prepared sandbox.'
const DAY_MS = 24 * 3600 * 1000

const directory = temporaryDirectory()
afterAll(async () => {
  await endServices()
  directory.remove()
})

const run = promisify(execFile)
const port = await freePort()
const place = (name: string): string => join(directory.path, name)

/** The address is a part of what is made, so all of them have the same. */
const optionsOf = (data: string, prepared: string, environment: Record<string, string> = {}) => ({
  dataDir: place(data),
  port,
  environment: { PREPARED_DIR: place(prepared), PUBLIC_URL: `http://127.0.0.1:${port}`, ...environment },
})

const copiesIn = (prepared: string): string[] =>
  readdirSync(place(prepared)).filter((name) => !name.startsWith('service.'))

const walletsOf = async (client: Client) => (await client.get('/api/sandbox/wallets')).body.data.wallets

/** Whether a start of its own made it, or a copy; it has ended then. */
async function beginningOf(options: ReturnType<typeof optionsOf>): Promise<'copied' | 'made'> {
  const service = await startService(options)
  await expectToWork(service)
  expect(await service.end('SIGTERM')).toBe(0)
  return service.output().includes(COPIED) ? 'copied' : 'made'
}

async function expectToWork(service: ServiceProcess): Promise<Client> {
  const client = await signIn(service.url)
  const { body } = await client.post('/api/sandbox/faucet', { address: client.wallet.address, amount: '5' })
  expect(body.data.balance).toBe('5')
  const { data } = (await client.get('/api/config')).body
  expect(Math.abs(new Date(data.now).getTime() - Date.now())).toBeLessThan(60_000)
  return client
}

async function expectBooksToHold(dataDir: string): Promise<void> {
  const script = builtProgram('server/scripts/check-invariants.ts')
  const env = { PATH: process.env.PATH, ...compileCache, DATA_DIR: dataDir, PORT: '0' }
  const { stdout } = await run(process.execPath, [script], { env })
  expect(stdout).toContain('rules hold')
}

test('a second sandbox has the market of the first, works by itself, and so does one that is reset', async () => {
  const demo = { DEMO: 'on', LOG_LEVEL: 'info' }
  const first = await startService(optionsOf('first', 'demo', demo))
  expect(first.output()).toContain('The demo data is there')
  const before = await expectToWork(first)
  const wallets = await walletsOf(before)
  const total = async () => (await before.get('/api/agents/search')).body.data.total
  await expect.poll(total).toBe(43)
  expect(await first.end('SIGTERM')).toBe(0)

  const second = await startService(optionsOf('second', 'demo', demo))
  expect(second.output()).toContain(COPIED)
  expect(second.output()).not.toContain('Making 12 weeks')
  expect(second.output()).not.toContain('"level":50')
  // The session of the other one, and everything that was done there after it was made, are not in the copy.
  expect((await before.get('/api/auth/session')).status).toBe(401)
  await expect.poll(total).toBe(43)
  const after = await expectToWork(second)
  expect(await walletsOf(after)).toEqual(wallets)
  const { stdout } = await run('sh', [join(import.meta.dirname, '../examples/first-order.sh'), second.url])
  expect(stdout).toContain('CSV Cleaner delivered for 0.25 USDC:')

  expect((await after.post('/api/sandbox/reset', { confirm: 'RESET' })).status).toBe(202)
  await expect.poll(() => second.output().split('is ready at').length).toBe(3)
  expect(second.output().split(COPIED)).toHaveLength(3)
  expect((await after.get('/api/auth/session')).status).toBe(401)
  await expect.poll(total).toBe(43)
  await expectToWork(second)
  expect(await second.end('SIGTERM')).toBe(0)
  await expectBooksToHold(place('second'))
  expect(existsSync(join(place('second'), 'reset-asked-for'))).toBe(false)
  expect(statSync(join(place('second'), 'secrets.json')).mode & 0o777).toBe(0o600)
  expect(statSync(join(place('demo'), copiesIn('demo')[0] ?? '')).mode & 0o777).toBe(0o700)
})

test('a copy is used for a day, for the same settings, and while nothing of it is missing', async () => {
  expect(await beginningOf(optionsOf('made', 'empty'))).toBe('made')
  const [name = ''] = copiesIn('empty')
  const copy = join(place('empty'), name)
  const spoil = async (data: string, change: () => void): Promise<void> => {
    change()
    expect(await beginningOf(optionsOf(data, 'empty'))).toBe('made')
    // The one that was spoiled is replaced.
    const [replacement = '', ...others] = copiesIn('empty')
    expect([existsSync(copy), others]).toEqual([false, []])
    renameSync(join(place('empty'), replacement), copy)
  }
  expect(await beginningOf(optionsOf('same', 'empty'))).toBe('copied')
  expect(await beginningOf(optionsOf('manual', 'empty', { AGENT_APPROVAL: 'manual' }))).toBe('made')
  expect(await beginningOf(optionsOf('without', 'empty', { PREPARED_DIR: 'off' }))).toBe('made')
  expect(await beginningOf(optionsOf('nowhere', 'empty', { PREPARED_DIR: '/proc/none' }))).toBe('made')
  expect(await beginningOf(optionsOf('no-folder', 'empty', { PREPARED_DIR: '/dev/null' }))).toBe('made')
  rmSync(join(place('empty'), copiesIn('empty').find((other) => other !== name) ?? 'none'), {
    recursive: true,
  })

  const manifest = join(copy, 'manifest.json')
  await spoil('old', () => {
    const written = JSON.parse(readFileSync(manifest, 'utf8'))
    writeFileSync(manifest, JSON.stringify({ ...written, madeAtMs: Date.now() - DAY_MS }))
  })
  await spoil('cut', () => writeFileSync(join(copy, 'chain/journal'), ''))
  await spoil('changed', () => {
    const control = join(copy, 'postgres/global/pg_control')
    const bytes = readFileSync(control)
    bytes[0] = (bytes[0] ?? 0) ^ 1
    writeFileSync(control, bytes)
  })
  await spoil('unfinished', () => rmSync(manifest))
  expect(await beginningOf(optionsOf('again', 'empty'))).toBe('copied')
})

test('copying that was interrupted anywhere is started over, or given up where no copy is left', async () => {
  expect(await beginningOf(optionsOf('source', 'interrupted'))).toBe('made')
  const source = place('source')
  const interrupt = (data: string, parts: readonly string[]): string => {
    const dataDir = place(data)
    mkdirSync(dataDir, { mode: 0o711 })
    writeFileSync(join(dataDir, 'reset-asked-for'), '')
    for (const part of parts) cpSync(join(source, part), join(dataDir, part), { recursive: true })
    return dataDir
  }
  const before = interrupt('before', [])
  mkdirSync(join(before, 'postgres.new-left'))
  expect(await beginningOf(optionsOf('before', 'interrupted'))).toBe('copied')
  expect(readdirSync(before)).not.toContain('postgres.new-left')

  const between = interrupt('between', ['chain'])
  writeFileSync(join(between, 'chain/journal'), 'torn')
  expect(await beginningOf(optionsOf('between', 'interrupted'))).toBe('copied')

  // Where root keeps the database elsewhere, that place is named before the database is there.
  const elsewhere = interrupt('elsewhere', [])
  writeFileSync(join(elsewhere, 'postgres-location'), `${place('nowhere')}/postgres\n`)
  expect(await beginningOf(optionsOf('elsewhere', 'interrupted'))).toBe('copied')

  // All of it is there, and nobody knows whether it is on the disk.
  const copied = await startService(optionsOf('after', 'interrupted'))
  const owner = await expectToWork(copied)
  expect(await copied.end('SIGTERM')).toBe(0)
  writeFileSync(join(place('after'), 'reset-asked-for'), '')
  const thrownAway = await startService(optionsOf('after', 'interrupted', { PREPARED_DIR: 'off' }))
  expect((await owner.get('/api/auth/session')).status).toBe(401)
  await expectToWork(thrownAway)
  expect(await thrownAway.end('SIGTERM')).toBe(0)
  await expectBooksToHold(place('after'))
})

test('services that start at once make one copy, or take it together', async () => {
  const startBoth = async (names: readonly string[]): Promise<string[]> => {
    const services = await Promise.all(
      names.map(async (name) => startService({ ...optionsOf(name, 'at-once'), port: await freePort() })),
    )
    await Promise.all(services.map(expectToWork))
    await Promise.all(services.map((service) => service.end('SIGTERM')))
    return services.map((service) => service.output())
  }
  // What a process that was killed has left.
  mkdirSync(join(place('at-once'), 'new-0123456789ab'), { recursive: true })
  for (const output of await startBoth(['one', 'other'])) expect(output).not.toContain(COPIED)
  expect(copiesIn('at-once')).toHaveLength(1)
  for (const output of await startBoth(['third', 'fourth'])) expect(output).toContain(COPIED)
  expect(copiesIn('at-once')).toHaveLength(1)
})

test('in a folder that holds other things only copies are removed, and what cannot be read is not used', async () => {
  const others = ['photos/one', 'new-photos/two']
  for (const file of others) {
    mkdirSync(join(place('shared'), file, '..'), { recursive: true })
    writeFileSync(join(place('shared'), file), 'mine')
  }
  expect(await beginningOf(optionsOf('beside', 'shared'))).toBe('made')
  expect(others.map((file) => existsSync(join(place('shared'), file)))).toEqual([true, true])

  const [copy = ''] = copiesIn('shared').filter((name) => !name.includes('photos'))
  symlinkSync(place('nothing'), join(place('shared'), copy.replace(/\w{12}$/, '000000000000')))
  expect(await beginningOf(optionsOf('beside-none', 'shared'))).toBe('copied')

  writeFileSync(place('file'), '')
  expect(await beginningOf(optionsOf('in-file', 'file'))).toBe('made')
})
