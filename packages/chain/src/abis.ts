import { parseAbi } from 'viem'
import { safeEvents } from './safeEvents.ts'

export { agentRegistryAbi } from './generated/AgentRegistry.ts'
export { escrowAbi } from './generated/Escrow.ts'
export { reputationRegistryAbi } from './generated/ReputationRegistry.ts'
export { smartWalletAbi } from './generated/SmartWallet.ts'
export { smartWalletFactoryAbi } from './generated/SmartWalletFactory.ts'
export { spendPermissionManagerAbi } from './generated/SpendPermissionManager.ts'
// The devnet's USDC has every function and event of the real one that this service uses.
export { testUsdcAbi as usdcAbi } from './generated/TestUsdc.ts'

export const safeAbi = [
  ...parseAbi([
    'function nonce() view returns (uint256)',
    'function getThreshold() view returns (uint256)',
    'function getOwners() view returns (address[])',
    'function getTransactionHash(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, uint256 nonce) view returns (bytes32)',
    'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures) payable returns (bool)',
  ]),
  ...safeEvents,
] as const
