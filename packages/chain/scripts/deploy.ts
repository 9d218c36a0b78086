// Deploys the escrow to Base, Base Sepolia or a devnet, verifies what it deployed, and prints the settings to use.
//
//   RPC_URL=https://... DEPLOYER_PRIVATE_KEY=0x... node packages/chain/scripts/deploy.ts \
//     --chain-id 84532 --arbiter 0xSafe --treasury 0x... --operator 0x...
//
// With --verify 0xEscrow it deploys nothing and checks an escrow that stands already. The key is read from the
// environment alone, so that it is in no shell history and no process list.

import process from 'node:process'
import { parseArgs } from 'node:util'
import { type Address, isAddress, isHex, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { addressesOf } from '../src/addresses.ts'
import { explorerUrlOf } from '../src/chains.ts'
import { createChainClient } from '../src/createChainClient.ts'
import { deployEscrow } from '../src/deployEscrow.ts'
import { verifyEscrowDeployment } from '../src/verifyEscrowDeployment.ts'

const fail = (message: string): never => {
  console.error(`deploy: ${message}`)
  process.exit(1)
}

const { values } = parseArgs({
  options: {
    'rpc-url': { type: 'string', default: process.env.RPC_URL },
    'chain-id': { type: 'string', default: process.env.CHAIN_ID },
    arbiter: { type: 'string', default: process.env.ARBITER_ADDRESS },
    treasury: { type: 'string', default: process.env.TREASURY_ADDRESS },
    operator: { type: 'string', default: process.env.OPERATOR_ADDRESS },
    verify: { type: 'string' },
  },
})

const addressOf = (name: 'arbiter' | 'treasury' | 'operator' | 'verify'): Address => {
  const value = values[name]
  return value !== undefined && isAddress(value) && value !== zeroAddress
    ? value
    : fail(`--${name} must be an address with a right checksum, and not the zero address`)
}

const deployerOf = () => {
  const key = process.env.DEPLOYER_PRIVATE_KEY
  return isHex(key) && key.length === 66
    ? privateKeyToAccount(key)
    : fail('DEPLOYER_PRIVATE_KEY must hold a 32-byte key in hex')
}

const run = async (): Promise<void> => {
  const chainId = Number(values['chain-id'] ?? fail('--chain-id is missing (8453 or 84532)'))
  const rpcUrl = values['rpc-url'] ?? fail('RPC_URL is missing')
  const client = createChainClient({ chainId, rpcUrl, timeoutMs: 15_000 })
  const roles = {
    arbiter: addressOf('arbiter'),
    treasury: addressOf('treasury'),
    operator: addressOf('operator'),
  }

  if (values.verify !== undefined) {
    const escrow = addressOf('verify')
    await verifyEscrowDeployment(client, { escrow, expected: { ...roles, token: addressesOf(chainId).usdc } })
    console.log(`${escrow} is this package's Escrow, with the roles as given.`)
    return
  }

  const deployer = deployerOf()
  console.log(`Deploying to chain ${chainId} from ${deployer.address} ...`)
  const { escrow, transactionHash, blockNumber, settings, usdc, arbiterSafe } = await deployEscrow(client, {
    deployer,
    ...roles,
  })
  const page = explorerUrlOf(chainId, { transaction: transactionHash })
  console.log(`Deployed in block ${blockNumber}, transaction ${transactionHash}${page ? ` (${page})` : ''}`)
  console.log(
    `Verified: code equal to the artefact, token ${usdc.name} version ${usdc.version}, fee ${settings.feeBps / 100} %,`,
  )
  console.log(
    `          arbiter a ${arbiterSafe.threshold}-of-${arbiterSafe.owners.length} Safe, roles as given.`,
  )
  console.log('\nSettings to use (OPERATOR_PRIVATE_KEY must be the key of OPERATOR_ADDRESS):')
  console.log(`CHAIN_ID=${chainId}`)
  console.log(`ESCROW_ADDRESS=${escrow}`)
  console.log(`ESCROW_START_BLOCK=${blockNumber}`)
  console.log(`OPERATOR_ADDRESS=${settings.operator}`)
}

await run().catch((error: unknown) => fail(error instanceof Error ? error.message : String(error)))
