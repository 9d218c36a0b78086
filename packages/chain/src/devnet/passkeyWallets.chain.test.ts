import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keccak256, type LocalAccount, stringToHex } from 'viem'
import { toCoinbaseSmartAccount, type WebAuthnAccount } from 'viem/account-abstraction'
import { readContract } from 'viem/actions'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { passkeyWalletFactoryAbi } from '../generated/PasskeyWalletFactory.ts'
import { callTo } from '../preparedCall.ts'
import { verifySmartAccountMessage } from '../signatures/verifySmartAccountSignature.ts'
import { createSoftPasskey } from '../testing/softPasskey.ts'
import { startTestDevnet, type TestDevnet, testAccount } from '../testing/startTestDevnet.ts'
import { createDevnet } from './createDevnet.ts'
import { startEdr } from './edr.ts'
import { applyGenesis, describeGenesis } from './genesis.ts'
import { openJournal } from './journal.ts'
import { deriveRoles } from './roles.ts'
import { createSequencer } from './sequencer.ts'

const message = 'example.org wants you to sign in'

let running: TestDevnet
beforeAll(async () => {
  running = await startTestDevnet()
})
afterAll(() => running.stop())

/** The wallet of an owner and the permission manager, as a browser opens it. */
const walletOf = async (owner: WebAuthnAccount | LocalAccount) => {
  const { passkeyWalletFactory: factory, spendPermissionManager } = running.devnet.addresses
  const account = await toCoinbaseSmartAccount({
    client: running.client,
    owners: [owner, spendPermissionManager],
    version: '1.1',
    address: await readContract(running.client, {
      address: factory,
      abi: passkeyWalletFactoryAbi,
      functionName: 'getAddress',
      args: [[ownerBytes(owner), `0x${'00'.repeat(12)}${spendPermissionManager.slice(2)}`], 0n],
    }),
  })
  const getFactoryArgs = account.getFactoryArgs.bind(account)
  return Object.assign(account, {
    getFactoryArgs: async () => {
      const { factoryData } = await getFactoryArgs()
      return factoryData ? { factory, factoryData } : {}
    },
  }) as typeof account
}

const ownerBytes = (owner: WebAuthnAccount | LocalAccount) =>
  owner.type === 'webAuthn' ? owner.publicKey : (`0x${'00'.repeat(12)}${owner.address.slice(2)}` as const)

test.each([
  ['a passkey', createSoftPasskey()],
  ['a plain wallet', testAccount(1)],
])('%s signs for its wallet, before it is deployed and after', async (_, owner) => {
  const wallet = await walletOf(owner)
  const verdictOf = (signature: `0x${string}`, address = wallet.address) =>
    verifySmartAccountMessage(running.client, { address, message, signature })
  const early = await wallet.signMessage({ message })
  expect(early.endsWith('6492'.repeat(16))).toBe(true)
  expect(await verdictOf(early)).toEqual({ status: 'valid' })

  const { factory, factoryData } = await wallet.getFactoryArgs()
  if (!factory || !factoryData) throw new Error('the wallet is deployed already')
  for (let time = 0; time < 2; time += 1)
    expect((await running.execute(testAccount(2), callTo(factory, factoryData))).status).toBe('success')
  expect(await wallet.isDeployed()).toBe(true)
  expect(await verdictOf(await wallet.signMessage({ message }))).toEqual({ status: 'valid' })

  expect(await verdictOf(await wallet.signMessage({ message: 'something else' }))).toEqual({
    status: 'invalid',
  })
  const strangers = await walletOf(createSoftPasskey())
  const forged = await strangers.signMessage({ message })
  expect(await verdictOf(forged)).toEqual({ status: 'invalid' })
})

test('a sandbox from before passkey wallets goes on with its blocks, and gets them', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'devnet-'))
  const seed = keccak256(stringToHex('an older sandbox'))
  const genesis = describeGenesis(deriveRoles(seed))
  const startedAt = Math.floor(Date.now() / 1000)
  const journal = await openJournal({ dataDir, genesis: genesis.fingerprint, startedAt, offsetSeconds: 0 })
  const edr = await startEdr({ startedAt })
  await applyGenesis(edr, genesis, startedAt)
  const sequencer = await createSequencer({ edr, journal, realNowMs: Date.now })
  await sequencer.advanceTime(60)
  const { hash } = await edr.latestBlock()
  await sequencer.close()
  await journal.close()
  await edr.close()

  const devnet = await createDevnet({ dataDir, seed })
  const { passkeyWalletFactory } = devnet.addresses
  const read = (method: string, params: unknown[]) => devnet.provider.request({ method, params })
  expect(await read('eth_getBlockByNumber', ['0x2', false])).toMatchObject({ hash })
  expect(await read('eth_getCode', [passkeyWalletFactory, 'latest'])).not.toBe('0x')
  await devnet.close()
  const again = await createDevnet({ dataDir, seed })
  expect(again.replayed.blocks).toBe(2)
  await again.close()
  await rm(dataDir, { recursive: true })
})
