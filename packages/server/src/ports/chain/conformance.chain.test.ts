import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { roleKeyOf } from '@agent-marketplace/chain/devnet'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EmbeddedChain, startEmbeddedChain } from './embedded.ts'
import type { ChainPort, JobTerms } from './port.ts'
import { connectRemoteChain, type RemoteChainOptions } from './remote.ts'
import { type RpcServer, serveRpc } from './testing/serve-rpc.ts'

const SEED = '42'.repeat(32)
const fees = { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n }
const client = privateKeyToAccount(generatePrivateKey())
const agent = privateKeyToAccount(generatePrivateKey()).address
const FOREVER = 4_000_000_000n

let dataDir: string
let embedded: EmbeddedChain
let rpc: RpcServer
let remote: ChainPort

const remoteOptions = (): RemoteChainOptions => ({
  rpcUrl: rpc.url,
  chainId: 31337,
  escrowAddress: embedded.chain.facts.contracts.escrow,
  operatorPrivateKey: roleKeyOf(`0x${SEED}`, 'operator'),
  spenderPrivateKey: roleKeyOf(`0x${SEED}`, 'spender'),
})

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'chain-port-'))
  embedded = await startEmbeddedChain({ dataDir, seed: SEED })
  rpc = await serveRpc(embedded.sandbox.handleRpc)
  remote = (await connectRemoteChain(remoteOptions())).chain
  await embedded.sandbox.faucet({ address: client.address, amountMicro: 1_000_000_000n })
})
afterAll(async () => {
  await rpc.close()
  await embedded.close()
  await rm(dataDir, { recursive: true })
})

describe.each([
  ['embedded', () => embedded.chain],
  ['remote', () => remote],
] as const)('the %s chain', (name, portOf) => {
  let chain: ChainPort
  beforeAll(() => {
    chain = portOf()
  })

  test('knows the chain, its contracts and its senders', async () => {
    await chain.ping()
    await chain.relay.assertChain()
    expect(chain.facts).toEqual(embedded.chain.facts)
    expect(chain.facts).toMatchObject({
      chainId: 31337,
      operator: chain.relay.addressOf('operator'),
      spender: chain.relay.addressOf('spender'),
    })
  })

  test('verifies messages', async () => {
    const message = 'hello'
    const signature = await client.signMessage({ message })
    expect(await chain.verifyMessage({ address: client.address, message, signature })).toBe(true)
    expect(await chain.verifyMessage({ address: agent, message, signature })).toBe(false)
  })

  test('funds a job on the client’s signature, and reports it by block and by transaction', async () => {
    const { escrow, relay, reader } = chain
    const terms: JobTerms = {
      jobRef: escrow.refOf(`job-${name}`),
      client: client.address,
      seller: agent,
      agentWallet: agent,
      amountMicro: 100_000_000n,
      deadline: 0,
    }
    expect(escrow.jobIdOf(terms.jobRef)).toBe(`job-${name}`)
    const typedData = escrow.fundingTypedData({ terms, validAfter: 0n, validBefore: FOREVER })
    const { EIP712Domain: _domain, ...types } = typedData.types
    const signature = await client.signTypedData({ ...typedData, types })
    const call = escrow.depositWithAuthorization({ terms, validAfter: 0n, validBefore: FOREVER, signature })
    const trial = await relay.simulate({ sender: 'operator', call })
    if (trial.status !== 'ok') throw new Error(`the trial was ${trial.status}`)
    expect(await relay.simulate({ sender: 'operator', call, gasLimit: 500_000n })).toEqual({
      status: 'ok',
      gas: 500_000n,
    })

    const nonce = await relay.getNonce({ address: relay.addressOf('operator'), at: 'latest' })
    const { hash, rawTransaction } = await relay.sign({
      sender: 'operator',
      call,
      nonce,
      gas: trial.gas,
      fees,
    })
    expect(await reader.getOutcome(hash)).toEqual({ status: 'unknown' })
    expect(await relay.broadcast(rawTransaction)).toMatchObject({ hash, status: 'accepted' })
    expect((await relay.broadcast(rawTransaction)).status).toMatch(/^(alreadyKnown|nonceTooLow)$/)
    for (const at of ['latest', 'pending', 'safe'] as const) {
      expect(await relay.getNonce({ address: relay.addressOf('operator'), at })).toBe(nonce + 1)
    }

    const outcome = await reader.getOutcome(hash)
    if (outcome.status !== 'success') throw new Error(`the transaction is ${outcome.status}`)
    const { blockNumber, blockHash, events } = outcome
    expect(events.map((event) => event.name).toSorted()).toEqual([
      'AuthorizationUsed',
      'JobFunded',
      'UsdcTransferred',
    ])
    expect(await reader.getBlock(blockNumber)).toMatchObject({ number: blockNumber, hash: blockHash })
    expect(await reader.getEvents({ fromBlock: blockNumber, toBlock: blockNumber })).toEqual([
      expect.objectContaining({ name: 'JobFunded', key: escrow.keyOf(terms), terms, transactionHash: hash }),
    ])
    const inBlock = { fromBlock: blockNumber, toBlock: blockNumber }
    const tokenEvents = await reader.getUsdcEvents({ wallets: [client.address.toLowerCase()], ...inBlock })
    expect(tokenEvents.toSorted((a, b) => a.name.localeCompare(b.name))).toEqual([
      expect.objectContaining({ name: 'AuthorizationUsed', authorizer: client.address }),
      expect.objectContaining({ name: 'UsdcTransferred', from: client.address, amountMicro: 100_000_000n }),
    ])
    expect(tokenEvents).toEqual(events.filter(({ name }) => name !== 'JobFunded'))
    expect(await reader.getUsdcEvents({ wallets: [agent], ...inBlock })).toEqual([])
    expect(await reader.getUsdcEvents({ wallets: [], ...inBlock })).toEqual([])
    const balanceAt = async (number: bigint) =>
      (await reader.getUsdcBalances({ wallets: [client.address], blockNumber: number }))[0]
    expect(await balanceAt(blockNumber)).toBe(await chain.usdc.balanceOf(client.address))
    expect(await balanceAt(blockNumber - 1n)).toBe(((await balanceAt(blockNumber)) ?? 0n) + 100_000_000n)
    expect((await reader.getEscrowTotals(blockNumber)).heldMicro).toBeGreaterThanOrEqual(100_000_000n)
    expect(await chain.relay.simulate({ sender: 'operator', call })).toMatchObject({
      status: 'refused',
      reason: 'WrongState',
    })
  })

  test('says why a mined transaction failed', async () => {
    const { relay, reader, escrow } = chain
    const call = escrow.release({ key: `0x${'ab'.repeat(32)}` })
    const nonce = await relay.getNonce({ address: relay.addressOf('operator'), at: 'latest' })
    const signed = await relay.sign({ sender: 'operator', call, nonce, gas: 200_000n, fees })
    await relay.broadcast(signed.rawTransaction)
    expect(await reader.getOutcome(signed.hash)).toMatchObject({ status: 'reverted', reason: 'WrongState' })
  })

  test('signs only for contracts of the service, and gives no ether', async () => {
    const stranger = { to: agent, data: '0x' as const, value: 0n }
    const generous = { ...chain.escrow.claim({ recipient: agent }), value: 1n }
    for (const call of [stranger, generous]) {
      expect(await chain.relay.simulate({ sender: 'spender', call })).toMatchObject({
        status: 'refused',
        reason: 'TARGET_NOT_ALLOWED',
      })
      await expect(
        chain.relay.sign({ sender: 'spender', call, nonce: 0, gas: 21_000n, fees }),
      ).rejects.toThrow('signs nothing')
    }
  })

  test('returns nothing for future blocks', async () => {
    expect(await chain.reader.getBlock(10n ** 9n)).toBeUndefined()
  })
})

describe('a remote chain is refused', () => {
  const wrong = (changes: Partial<RemoteChainOptions>) =>
    connectRemoteChain({ ...remoteOptions(), ...changes })

  test('when it is another one than the settings say', () =>
    expect(wrong({ chainId: 84532 })).rejects.toThrow('RPC_URL does not serve the chain CHAIN_ID'))
  test('when the escrow is not there', () =>
    expect(wrong({ escrowAddress: agent })).rejects.toThrow('is not an escrow'))
  test('when the key is not the operator’s', () =>
    expect(wrong({ operatorPrivateKey: 'ab'.repeat(32) })).rejects.toThrow('operator is'))
  test('when a key is none, without repeating it', async () => {
    const key = 'not a key, yet secret'
    await expect(wrong({ spenderPrivateKey: key })).rejects.toThrow(
      'SPENDER_PRIVATE_KEY is not a private key',
    )
    await expect(wrong({ spenderPrivateKey: key })).rejects.not.toThrow(key)
  })
})

test('a node that cannot be reached leaves a broadcast unknown and a trial unanswered', async () => {
  const gone = await serveRpc(embedded.sandbox.handleRpc)
  const { chain } = await connectRemoteChain({ ...remoteOptions(), rpcUrl: gone.url })
  await gone.close()
  expect(await chain.relay.broadcast('0x02')).toMatchObject({ status: 'unknown' })
  const call = chain.escrow.claim({ recipient: agent })
  expect(await chain.relay.simulate({ sender: 'operator', call })).toMatchObject({ status: 'unanswered' })
  await expect(chain.ping()).rejects.toThrow('HTTP request failed')
})
