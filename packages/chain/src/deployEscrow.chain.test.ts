import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { type Address, isAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getNonce } from './actions/transactions/getNonce.ts'
import { createChainClient } from './createChainClient.ts'
import { deployEscrow } from './deployEscrow.ts'
import { startTestDevnet, type TestDevnet, testAccount } from './testing/startTestDevnet.ts'
import { verifyEscrowDeployment } from './verifyEscrowDeployment.ts'

const script = fileURLToPath(new URL('../scripts/deploy.ts', import.meta.url))
const deployerKey = `0x${'d1'.repeat(32)}` as const

let running: TestDevnet
let server: Server
let rpcUrl: string
beforeAll(async () => {
  running = await startTestDevnet()
  server = createServer(async (request, response) => {
    const reply = await running.devnet.handleRpc(await text(request))
    response.writeHead(200, { 'content-type': 'application/json' }).end(reply)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  rpcUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.close()
  server.closeAllConnections()
  await running.stop()
})

type Run = { code: number; stdout: string; stderr: string }

const runScript = (flags: Record<string, string>, environment: Record<string, string> = {}): Promise<Run> =>
  new Promise((resolve) => {
    const args = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value])
    const env = { PATH: process.env.PATH, RPC_URL: rpcUrl, DEPLOYER_PRIVATE_KEY: deployerKey, ...environment }
    execFile(process.execPath, [script, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr })
    })
  })

const flagsOf = () => ({
  'chain-id': '31337',
  arbiter: running.devnet.addresses.arbiter,
  treasury: testAccount(1).address,
  operator: testAccount(2).address,
})

test('the command deploys, verifies and prints settings that hold; it verifies again by itself', async () => {
  const flags = flagsOf()
  const { code, stdout, stderr } = await runScript(flags)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).not.toContain(deployerKey)
  const settings = Object.fromEntries(
    stdout.split('\n').flatMap((line) => {
      const match = /^([A-Z_]+)=(.+)$/.exec(line)
      return match ? [[match[1], match[2]]] : []
    }),
  )
  expect(settings).toEqual({
    CHAIN_ID: '31337',
    ESCROW_ADDRESS: expect.any(String),
    ESCROW_START_BLOCK: expect.stringMatching(/^[1-9][0-9]*$/),
    OPERATOR_ADDRESS: flags.operator,
  })
  const escrow: string = settings.ESCROW_ADDRESS
  expect(isAddress(escrow)).toBe(true)
  const { arbiter, treasury, operator } = flags
  const expected = { token: running.devnet.addresses.usdc, arbiter, treasury, operator }
  expect(await verifyEscrowDeployment(running.client, { escrow: escrow as Address, expected })).toMatchObject(
    { feeBps: 200 },
  )

  expect((await runScript({ ...flags, verify: escrow })).stdout).toContain("is this package's Escrow")

  const verify = (address: string, roles = expected) =>
    verifyEscrowDeployment(running.client, { escrow: address as Address, expected: roles })
  await expect(verify(escrow, { ...expected, treasury: operator })).rejects.toThrow(
    `the treasury of ${escrow} is ${treasury}`,
  )
  await expect(verify(escrow, { ...expected, token: arbiter })).rejects.toThrow(
    "is not that of this package's Escrow",
  )
  await expect(verify(running.devnet.addresses.usdc)).rejects.toThrow("is not that of this package's Escrow")
  await expect(verify(testAccount(5).address)).rejects.toThrow('there is no contract')
})

test('the command names what is missing, and never the key', async () => {
  const flags = flagsOf()
  const cases: [Promise<Run>, RegExp][] = [
    [runScript({ ...flags, treasury: '0x12' }), /^deploy: --treasury must be an address/],
    [
      runScript(flags, { DEPLOYER_PRIVATE_KEY: `${deployerKey}00` }),
      /^deploy: DEPLOYER_PRIVATE_KEY must hold/,
    ],
  ]
  for (const [run, message] of cases) {
    const { code, stderr } = await run
    expect(stderr).toMatch(message)
    expect(stderr).not.toContain(deployerKey)
    expect(code).toBe(1)
  }
})

test('it refuses before it signs anything', async () => {
  const { arbiter, treasury, operator } = flagsOf()
  const deployer = privateKeyToAccount(deployerKey)
  const nonce = await getNonce(running.client, { address: deployer.address, blockTag: 'pending' })
  const deploy = (chainId: number, arbiterGiven: Address) =>
    deployEscrow(createChainClient({ chainId, rpcUrl }), {
      deployer,
      treasury,
      operator,
      arbiter: arbiterGiven,
    })
  await expect(deploy(84532, arbiter)).rejects.toThrow('serves chain 31337, chain 84532 was expected')
  await expect(deploy(31337, testAccount(5).address)).rejects.toThrow('no arbiter contract')
  await expect(deploy(31337, running.devnet.addresses.usdc)).rejects.toThrow('is not a Safe')
  expect(await getNonce(running.client, { address: deployer.address, blockTag: 'pending' })).toBe(nonce)
})

test('a chain without the contracts it relies on is refused by name', async () => {
  const empty = createChainClient({
    chainId: 8453,
    provider: { request: async ({ method }) => (method === 'eth_chainId' ? '0x2105' : '0x') },
  })
  const { arbiter } = running.devnet.addresses
  const roles = { operator: testAccount(1).address, treasury: testAccount(2).address, arbiter }
  await expect(deployEscrow(empty, { deployer: testAccount(3), ...roles })).rejects.toMatchObject({
    code: 'DEPLOYMENT_FAILED',
    message: expect.stringContaining('there is no usdc contract'),
  })
})
