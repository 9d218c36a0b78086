import { type Address, encodeDeployData, getContractAddress, type Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { waitForTransactionReceipt } from 'viem/actions'
import type { EscrowSettings } from './actions/escrow/getEscrowSettings.ts'
import { getSafeState, type SafeState } from './actions/safe/getSafeState.ts'
import { assertChainId } from './actions/transactions/assertChainId.ts'
import { getFees } from './actions/transactions/getFees.ts'
import { getNonce } from './actions/transactions/getNonce.ts'
import { getUsdcDomain, type UsdcDomain } from './actions/usdc/getUsdcDomain.ts'
import { addressesOf } from './addresses.ts'
import type { ChainClient } from './createChainClient.ts'
import { ChainError } from './errors.ts'
import { escrowAbi, escrowBytecode } from './generated/Escrow.ts'
import { verifyEscrowDeployment } from './verifyEscrowDeployment.ts'

export type EscrowDeployment = {
  escrow: Address
  transactionHash: Hex
  blockNumber: bigint
  settings: EscrowSettings
  usdc: UsdcDomain
  arbiterSafe: SafeState
}

/**
 * Puts the escrow on a real chain. Everything it relies on is checked before a transaction is signed, and what
 * was deployed is read back and compared before it is called a success.
 */
export const deployEscrow = async (
  client: ChainClient,
  {
    deployer,
    operator,
    arbiter,
    treasury,
  }: { deployer: PrivateKeyAccount; operator: Address; arbiter: Address; treasury: Address },
): Promise<EscrowDeployment> => {
  const chainId = client.chain.id
  await assertChainId(client, { expected: chainId })
  const { usdc, arbiterSafe } = await checkGround(client, arbiter)

  const token = addressesOf(chainId).usdc
  const data = encodeDeployData({
    abi: escrowAbi,
    bytecode: escrowBytecode,
    args: [token, operator, arbiter, treasury],
  })
  const nonce = await getNonce(client, { address: deployer.address, blockTag: 'pending' })
  const gas = await client.estimateGas({ account: deployer.address, data })
  const fees = await getFees(client)
  const serializedTransaction = await deployer.signTransaction({
    type: 'eip1559',
    chainId,
    nonce,
    gas,
    ...fees,
    data,
  })
  const transactionHash = await client.sendRawTransaction({ serializedTransaction })
  const receipt = await waitForTransactionReceipt(client, { hash: transactionHash, timeout: 180_000 })
  if (receipt.status !== 'success') {
    throw new ChainError(
      'DEPLOYMENT_FAILED',
      `the deployment ${transactionHash} reverted in block ${receipt.blockNumber}`,
    )
  }

  const escrow = getContractAddress({ from: deployer.address, nonce: BigInt(nonce) })
  const expected = { token, operator, arbiter, treasury }
  const settings = await verifyEscrowDeployment(client, { escrow, expected })
  return { escrow, transactionHash, blockNumber: receipt.blockNumber, settings, usdc, arbiterSafe }
}

/** The canonical contracts must stand where the table says, the token must be USDC, and the arbiter a Safe that needs two or more. */
const checkGround = async (client: ChainClient, arbiter: Address) => {
  const known = addressesOf(client.chain.id)
  const { usdc, spendPermissionManager, smartWalletFactory, agentRegistry, reputationRegistry, multicall3 } =
    known
  const needed = {
    usdc,
    spendPermissionManager,
    smartWalletFactory,
    agentRegistry,
    reputationRegistry,
    multicall3,
    arbiter,
  }
  for (const [name, address] of Object.entries(needed)) {
    if ((await client.getCode({ address })) === undefined) {
      throw new ChainError(
        'DEPLOYMENT_FAILED',
        `there is no ${name} contract at ${address} on chain ${client.chain.id}`,
      )
    }
  }
  const domain = await getUsdcDomain(client, { usdc })
  if (domain.decimals !== 6)
    throw new ChainError('DEPLOYMENT_FAILED', `the token ${usdc} has ${domain.decimals} decimals, not 6`)
  const arbiterSafe = await getSafeState(client, { safe: arbiter }).catch((cause: unknown) => {
    throw new ChainError('DEPLOYMENT_FAILED', `the arbiter ${arbiter} is not a Safe`, { cause })
  })
  if (arbiterSafe.threshold < 2) {
    throw new ChainError(
      'DEPLOYMENT_FAILED',
      `the arbiter ${arbiter} needs ${arbiterSafe.threshold} signature, at least 2 are wanted`,
    )
  }
  return { usdc: domain, arbiterSafe }
}
