import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { roleKeyOf } from '@agent-marketplace/chain/devnet'
import { toCoinbaseSmartAccount } from 'viem/account-abstraction'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EmbeddedChain, startEmbeddedChain } from './embedded.ts'
import type { ChainPort, Hex, SpendPermission } from './port.ts'
import { connectRemoteChain } from './remote.ts'
import { type RpcServer, serveRpc } from './testing/serve-rpc.ts'

const SEED = '43'.repeat(32)
const owner = privateKeyToAccount(generatePrivateKey())
const stranger = privateKeyToAccount(generatePrivateKey())
const amountMicro = 10_000_000n

let dataDir: string
let embedded: EmbeddedChain
let rpc: RpcServer
let permission: SpendPermission
let signature: Hex

const connect = async (rpcUrl: string): Promise<ChainPort> => {
  const { chain } = await connectRemoteChain({
    rpcUrl,
    chainId: 31337,
    escrowAddress: embedded.chain.facts.contracts.escrow,
    operatorPrivateKey: roleKeyOf(`0x${SEED}`, 'operator'),
    spenderPrivateKey: roleKeyOf(`0x${SEED}`, 'spender'),
  })
  return chain
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'chain-permissions-'))
  embedded = await startEmbeddedChain({ dataDir, seed: SEED })
  rpc = await serveRpc(embedded.sandbox.handleRpc)
  const { chain, client } = embedded
  const manager = chain.checksumAddress(chain.facts.contracts.spendPermissionManager)
  const account = await toCoinbaseSmartAccount({ client, owners: [owner, manager], version: '1.1' })
  permission = {
    account: account.address,
    spender: chain.checksumAddress(chain.facts.spender),
    token: chain.checksumAddress(chain.facts.contracts.usdc),
    allowance: amountMicro,
    period: 86_400,
    start: Math.floor(embedded.sandbox.now().getTime() / 1000) - 60,
    end: 2 ** 48 - 1,
    salt: 1n,
    extraData: '0x',
  }
  const { types, ...typedData } = chain.spendPermissions.typedDataOf(permission)
  const { EIP712Domain: _domain, ...own } = types
  signature = await account.signTypedData({ ...typedData, types: own })
})
afterAll(async () => {
  await rpc.close()
  await embedded.close()
  await rm(dataDir, { recursive: true })
})

describe.each([
  ['embedded', async () => embedded.chain],
  ['remote', () => connect(rpc.url)],
] as const)('spend permissions on the %s chain', (_name, portOf) => {
  test('are distinguished by who owns the account, who signed, and what it holds', async () => {
    const { spendPermissions: calls, facts } = await portOf()
    const { account } = permission
    expect(await calls.hashOf(permission)).toMatch(/^0x[0-9a-f]{64}$/)
    expect(await calls.accountKindOf({ account, signature })).toBe('counterfactual')
    expect(await calls.accountKindOf({ account: owner.address, signature: '0x12' })).toBe('keyOnly')
    const owns = (address: string) => calls.hasOwner({ permission, signature, owner: address })
    expect(await owns(owner.address)).toBe(true)
    expect(await owns(facts.contracts.spendPermissionManager)).toBe(true)
    expect(await owns(stranger.address)).toBe(false)
    expect(await calls.isSigned({ permission, signature })).toBe(true)
    expect(await calls.isSigned({ permission: { ...permission, salt: 2n }, signature })).toBe(false)
    expect(await calls.isRevoked(permission)).toBe(false)
    expect(await calls.currentPeriodOf(permission)).toMatchObject({ start: permission.start, spentMicro: 0n })
    expect(await calls.currentPeriodOf({ ...permission, start: 2 ** 40 })).toEqual({
      refusal: 'BeforeSpendPermissionStart',
    })
    expect(await calls.trySpend({ permission, signature, amountMicro: amountMicro + 1n })).toBe(
      'ExceededSpendPermission',
    )
  })
})

test('a chain that does not respond is UNAVAILABLE, never a "no"', async () => {
  const gone = await serveRpc(embedded.sandbox.handleRpc)
  const { spendPermissions: calls } = await connect(gone.url)
  await gone.close()
  const signed = { permission, signature }
  const questions = [
    calls.hashOf(permission),
    calls.accountKindOf({ account: permission.account, signature }),
    calls.hasOwner({ ...signed, owner: owner.address }),
    calls.isSigned(signed),
    calls.isRevoked(permission),
    calls.currentPeriodOf(permission),
    calls.trySpend({ ...signed, amountMicro }),
  ]
  for (const question of await Promise.allSettled(questions)) {
    expect(question).toMatchObject({ status: 'rejected', reason: { code: 'UNAVAILABLE' } })
  }
})
