import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { DEVNET_CHAIN_ID } from '@agent-marketplace/contract'
import {
  type Address,
  encodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  keccak256,
  parseAbi,
  stringToHex,
  zeroAddress,
} from 'viem'
import { createKeyAccount } from '../accounts/createKeyAccount.ts'
import { addresses } from '../addresses.ts'
import { ChainError } from '../errors.ts'
import { agentRegistryBytecode } from '../generated/AgentRegistry.ts'
import { escrowAbi, escrowBytecode } from '../generated/Escrow.ts'
import { reputationRegistryAbi, reputationRegistryBytecode } from '../generated/ReputationRegistry.ts'
import { smartWalletFactoryDeployedBytecode } from '../generated/SmartWalletFactory.ts'
import { spendPermissionManagerDeployedBytecode } from '../generated/SpendPermissionManager.ts'
import { testUsdcAbi, testUsdcBytecode } from '../generated/TestUsdc.ts'
import { keccak } from '../hashing/keccak.ts'
import type { Edr } from './edr.ts'
import type { DevnetRoles } from './roles.ts'

const devnet = addresses[DEVNET_CHAIN_ID]

// Anyone may know this key: it holds no money and no role, and its address and nonces give the contracts theirs.
export const deployer = createKeyAccount(keccak256(stringToHex('agent-marketplace devnet deployer'), 'bytes'))

const safeSetupAbi = parseAbi([
  'function setup(address[] owners, uint256 threshold, address to, bytes data, address fallbackHandler, address paymentToken, uint256 payment, address paymentReceiver)',
])

const ROLE_BALANCE_WEI = 10n ** 30n

type GenesisStep = { data: Hex; to?: Address; at?: Address }

/** Everything that stands on the chain before its first user: what is deployed, in order, and what is placed. */
export type Genesis = {
  steps: GenesisStep[]
  placed: Record<Address, Hex>
  funded: Address[]
  fingerprint: Hex
}

let lastDescribed: Genesis | undefined

/** Kept for the next chain with the same roles: to hash all code takes longer than anything else that a chain starts with. */
export const describeGenesis = (roles: DevnetRoles): Genesis => {
  const funded = Object.values(roles).map((role) => role.address)
  if (lastDescribed?.funded.join() !== funded.join()) lastDescribed = describeAnew(roles, funded)
  return lastDescribed
}

const describeAnew = (roles: DevnetRoles, funded: Address[]): Genesis => {
  const owners = [roles.safeOwner1.address, roles.safeOwner2.address, roles.safeOwner3.address]
  const safe = readSafeArtifacts()
  const steps: GenesisStep[] = [
    {
      at: devnet.usdc,
      data: encodeDeployData({ abi: testUsdcAbi, bytecode: testUsdcBytecode, args: [roles.faucet.address] }),
    },
    { at: devnet.agentRegistry, data: agentRegistryBytecode },
    {
      at: devnet.reputationRegistry,
      data: encodeDeployData({
        abi: reputationRegistryAbi,
        bytecode: reputationRegistryBytecode,
        args: [devnet.agentRegistry],
      }),
    },
    { at: devnet.safeSingleton, data: safe.singleton },
    { at: devnet.safeFallbackHandler, data: safe.fallbackHandler },
    { at: devnet.safeProxyFactory, data: safe.proxyFactory },
    // The factory would make the Safe's address depend on its owners; a plain deployment keeps it fixed.
    {
      at: devnet.arbiter,
      data: `${safe.proxy}${encodeAbiParameters([{ type: 'address' }], [devnet.safeSingleton]).slice(2)}`,
    },
    {
      to: devnet.arbiter,
      data: encodeFunctionData({
        abi: safeSetupAbi,
        args: [owners, 2n, zeroAddress, '0x', devnet.safeFallbackHandler, zeroAddress, 0n, zeroAddress],
      }),
    },
    {
      at: devnet.escrow,
      data: encodeDeployData({
        abi: escrowAbi,
        bytecode: escrowBytecode,
        args: [devnet.usdc, roles.operator.address, devnet.arbiter, roles.treasury.address],
      }),
    },
  ]
  const placed = {
    [devnet.spendPermissionManager]: spendPermissionManagerDeployedBytecode,
    [devnet.smartWalletFactory]: smartWalletFactoryDeployedBytecode,
  } as Record<Address, Hex>
  const described = JSON.stringify({ steps, placed, funded, multicall3: readMulticall3CreationCode() })
  const fingerprint: Hex = `0x${keccak(Buffer.from(described)).toString('hex')}`
  return { steps, placed, funded, fingerprint }
}

/** Brings a fresh machine to the described state, in one block at `startedAt`. */
export const applyGenesis = async (edr: Edr, genesis: Genesis, startedAt: number): Promise<void> => {
  for (const address of genesis.funded)
    await edr.request('hardhat_setBalance', [address, `0x${ROLE_BALANCE_WEI.toString(16)}`])
  for (const [address, code] of Object.entries(genesis.placed))
    await edr.request('hardhat_setCode', [address, code])
  // A call without a recipient runs creation code and returns the code it would leave behind.
  const multicall3 = await edr.request('eth_call', [{ data: readMulticall3CreationCode() }, 'latest'])
  await edr.request('hardhat_setCode', [devnet.multicall3, multicall3])

  const sent: { hash: unknown; at: Address | undefined }[] = []
  for (const [nonce, { to, at, data }] of genesis.steps.entries()) {
    const raw = await deployer.signTransaction({
      type: 'eip1559',
      chainId: DEVNET_CHAIN_ID,
      nonce,
      gas: 7_000_000n,
      maxFeePerGas: 0n,
      maxPriorityFeePerGas: 0n,
      to,
      data,
    })
    sent.push({ hash: await edr.request('eth_sendRawTransaction', [raw]), at })
  }
  await edr.mine(startedAt)
  for (const [nonce, { hash, at }] of sent.entries())
    checkReceipt(nonce, at, (await edr.request('eth_getTransactionReceipt', [hash])) as Receipt | null)
}

type Receipt = { status: Hex; contractAddress: Address | null }

const checkReceipt = (nonce: number, at: Address | undefined, receipt: Receipt | null): void => {
  if (receipt?.status !== '0x1') throw new ChainError('GENESIS_FAILED', `genesis transaction ${nonce} failed`)
  if (at?.toLowerCase() === receipt.contractAddress?.toLowerCase()) return
  throw new ChainError('GENESIS_FAILED', `deployment ${nonce} is not at ${at}, as the address table says`)
}

const require = createRequire(import.meta.url)

const readSafeArtifacts = () => {
  const bytecodeOf = (path: string): Hex =>
    require(`@safe-global/safe-smart-account/build/artifacts/contracts/${path}.json`).bytecode
  return {
    singleton: bytecodeOf('SafeL2.sol/SafeL2'),
    fallbackHandler: bytecodeOf('handler/CompatibilityFallbackHandler.sol/CompatibilityFallbackHandler'),
    proxyFactory: bytecodeOf('proxies/SafeProxyFactory.sol/SafeProxyFactory'),
    proxy: bytecodeOf('proxies/SafeProxy.sol/SafeProxy'),
  }
}

/** viem carries Multicall3's creation code for its own deployless calls, though not among its named exports. */
const readMulticall3CreationCode = (): Hex =>
  require(join(dirname(require.resolve('viem')), 'constants/contracts.js')).multicall3Bytecode
