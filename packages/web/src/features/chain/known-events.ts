import { parseAbi } from 'viem'

/** The events that this site can put into words, by the contract that writes them. */

export const usdcEvents = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
])

export const escrowEvents = parseAbi([
  'event JobFunded(bytes32 indexed key, bytes32 indexed jobRef, address indexed client, address seller, address agentWallet, uint128 amount, uint16 feeBps, uint64 deadline)',
  'event WorkSubmitted(bytes32 indexed key, bytes32 deliveryHash, uint64 reviewEndsAt)',
  'event ChangesRequested(bytes32 indexed key, uint8 count, uint64 dueAt)',
  'event DisputeOpened(bytes32 indexed key, uint8 by, uint64 undecidedAt)',
  'event SettlementProposed(bytes32 indexed key, uint8 by, uint16 sellerBps)',
  'event JobClosed(bytes32 indexed key, uint8 outcome, uint256 sellerNet, uint256 fee, uint256 refunded)',
  'event OperatorDisabled(bytes32 indexed key, uint8 party)',
  'event PaymentDeferred(address indexed recipient, uint256 amount)',
  'event PaymentClaimed(address indexed recipient, uint256 amount)',
])

export const registryEvents = parseAbi([
  'event Registered(uint256 indexed agentId, string agentURI, address indexed owner)',
  'event MetadataSet(uint256 indexed agentId, string indexed indexedMetadataKey, string metadataKey, bytes metadataValue)',
  'event URIUpdated(uint256 indexed agentId, string newURI, address indexed updatedBy)',
  'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
])

export const reputationEvents = parseAbi([
  'event NewFeedback(uint256 indexed agentId, address indexed clientAddress, uint64 feedbackIndex, int128 value, uint8 valueDecimals, string indexed indexedTag1, string tag1, string tag2, string endpoint, string feedbackURI, bytes32 feedbackHash)',
  'event FeedbackRevoked(uint256 indexed agentId, address indexed clientAddress, uint64 indexed feedbackIndex)',
  'event ResponseAppended(uint256 indexed agentId, address indexed clientAddress, uint64 feedbackIndex, address indexed responder, string responseURI, bytes32 responseHash)',
])

export const permissionEvents = parseAbi([
  'event SpendPermissionApproved(bytes32 indexed hash, (address account, address spender, address token, uint160 allowance, uint48 period, uint48 start, uint48 end, uint256 salt, bytes extraData) spendPermission)',
  'event SpendPermissionRevoked(bytes32 indexed hash, (address account, address spender, address token, uint160 allowance, uint48 period, uint48 start, uint48 end, uint256 salt, bytes extraData) spendPermission)',
  'event SpendPermissionUsed(bytes32 indexed hash, address indexed account, address indexed spender, address token, (uint48 start, uint48 end, uint160 spend) periodSpend)',
])

export const safeEvents = parseAbi([
  'event ExecutionSuccess(bytes32 indexed txHash, uint256 payment)',
  'event ExecutionFailure(bytes32 indexed txHash, uint256 payment)',
])
