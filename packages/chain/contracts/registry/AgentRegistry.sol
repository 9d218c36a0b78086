// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC721URIStorage} from "@openzeppelin/contracts/token/ERC721/extensions/ERC721URIStorage.sol";
import {ERC721Utils} from "@openzeppelin/contracts/token/ERC721/utils/ERC721Utils.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// @title AgentRegistry
///
/// @notice The ERC-8004 identity registry: every agent is an ERC-721 token whose URI leads to its registration file.
///
/// @dev Same interface, events and revert strings as the canonical deployment that is used on Base, so that a caller
///      cannot tell the two apart; only the upgrade proxy is left out. Ids count from 0, so 0 never means "no agent".
contract AgentRegistry is ERC721URIStorage, EIP712 {
    /// @notice One metadata pair given at registration.
    struct MetadataEntry {
        string metadataKey;
        bytes metadataValue;
    }

    /// @notice What a new wallet signs to agree to serve as the wallet of an agent.
    bytes32 public constant AGENT_WALLET_SET_TYPEHASH =
        keccak256("AgentWalletSet(uint256 agentId,address newWallet,address owner,uint256 deadline)");

    /// @notice The furthest ahead that the deadline of a wallet signature may lie.
    uint256 public constant MAX_DEADLINE_DELAY = 5 minutes;

    /// @dev The wallet is kept as metadata under this key, which the general setters refuse.
    string private constant WALLET_KEY = "agentWallet";

    uint256 private _nextId;
    mapping(uint256 agentId => mapping(string key => bytes value)) private _metadata;

    /// @notice An agent was registered.
    event Registered(uint256 indexed agentId, string agentURI, address indexed owner);

    /// @notice A metadata value was written; an empty value means that it was cleared.
    event MetadataSet(
        uint256 indexed agentId, string indexed indexedMetadataKey, string metadataKey, bytes metadataValue
    );

    /// @notice The agent's registration file moved.
    event URIUpdated(uint256 indexed agentId, string newURI, address indexed updatedBy);

    constructor() ERC721("AgentIdentity", "AGENT") EIP712("ERC8004IdentityRegistry", "1") {}

    /// @dev An unknown agent is refused by `ownerOf` before the caller is looked at.
    modifier onlyAuthorized(uint256 agentId) {
        require(_isAuthorized(ownerOf(agentId), msg.sender, agentId), "Not authorized");
        _;
    }

    /// @notice Registers an agent without a registration file; the caller becomes its owner and its first wallet.
    ///
    /// @return agentId The id of the new agent.
    function register() external returns (uint256 agentId) {
        agentId = _mintNext();
        _announce(agentId, "");
        _checkReceiver(agentId);
    }

    /// @notice Registers an agent with a registration file.
    ///
    /// @param agentURI Where the registration file is found.
    ///
    /// @return agentId The id of the new agent.
    function register(string memory agentURI) external returns (uint256 agentId) {
        agentId = _mintNext();
        _setTokenURI(agentId, agentURI);
        _announce(agentId, agentURI);
        _checkReceiver(agentId);
    }

    /// @notice Registers an agent with a registration file and metadata.
    ///
    /// @param agentURI Where the registration file is found.
    /// @param metadata Key and value pairs; the key `agentWallet` is refused.
    ///
    /// @return agentId The id of the new agent.
    function register(string memory agentURI, MetadataEntry[] memory metadata) external returns (uint256 agentId) {
        agentId = _mintNext();
        _setTokenURI(agentId, agentURI);
        _announce(agentId, agentURI);
        for (uint256 i; i < metadata.length; ++i) {
            _requireFreeKey(metadata[i].metadataKey);
            _setMetadata(agentId, metadata[i].metadataKey, metadata[i].metadataValue);
        }
        _checkReceiver(agentId);
    }

    /// @notice Moves the registration file of an agent.
    ///
    /// @param agentId The agent; the caller is its owner or acts for the owner.
    /// @param newURI Where the registration file is found from now on.
    function setAgentURI(uint256 agentId, string calldata newURI) external onlyAuthorized(agentId) {
        _setTokenURI(agentId, newURI);
        emit URIUpdated(agentId, newURI, msg.sender);
    }

    /// @notice Writes one metadata value.
    ///
    /// @param agentId The agent; the caller is its owner or acts for the owner.
    /// @param metadataKey Any key but `agentWallet`.
    /// @param metadataValue The bytes to keep.
    function setMetadata(uint256 agentId, string memory metadataKey, bytes memory metadataValue)
        external
        onlyAuthorized(agentId)
    {
        _requireFreeKey(metadataKey);
        _setMetadata(agentId, metadataKey, metadataValue);
    }

    /// @notice Names the wallet that the agent is paid to, with the consent of that wallet.
    ///
    /// @param agentId The agent; the caller is its owner or acts for the owner.
    /// @param newWallet The wallet, an EOA or an ERC-1271 contract.
    /// @param deadline Until when the signature holds, at most five minutes ahead.
    /// @param signature `newWallet`'s EIP-712 signature over `AgentWalletSet`.
    function setAgentWallet(uint256 agentId, address newWallet, uint256 deadline, bytes calldata signature)
        external
        onlyAuthorized(agentId)
    {
        require(newWallet != address(0), "bad wallet");
        require(block.timestamp <= deadline, "expired");
        require(deadline <= block.timestamp + MAX_DEADLINE_DELAY, "deadline too far");

        bytes32 structHash =
            keccak256(abi.encode(AGENT_WALLET_SET_TYPEHASH, agentId, newWallet, ownerOf(agentId), deadline));
        require(_isSignedBy(newWallet, _hashTypedDataV4(structHash), signature), "invalid wallet sig");

        _setMetadata(agentId, WALLET_KEY, abi.encodePacked(newWallet));
    }

    /// @notice Removes the wallet of an agent.
    ///
    /// @param agentId The agent; the caller is its owner or acts for the owner.
    function unsetAgentWallet(uint256 agentId) external onlyAuthorized(agentId) {
        _setMetadata(agentId, WALLET_KEY, "");
    }

    /// @notice The metadata value kept under a key; empty when there is none.
    function getMetadata(uint256 agentId, string memory metadataKey) external view returns (bytes memory) {
        return _metadata[agentId][metadataKey];
    }

    /// @notice The wallet of an agent; zero when it has none.
    function getAgentWallet(uint256 agentId) external view returns (address) {
        return address(bytes20(_metadata[agentId][WALLET_KEY]));
    }

    /// @notice Whether `spender` owns the agent or acts for its owner.
    ///
    /// @dev Reverts with `ERC721NonexistentToken` for an unknown agent.
    function isAuthorizedOrOwner(address spender, uint256 agentId) external view returns (bool) {
        return _isAuthorized(ownerOf(agentId), spender, agentId);
    }

    /// @notice The version of the canonical contracts that this one follows.
    function getVersion() external pure returns (string memory) {
        return "2.0.0";
    }

    /// @dev A transfer clears the wallet: the consent was given to serve the previous owner.
    function _update(address to, uint256 agentId, address auth) internal override returns (address from) {
        if (_ownerOf(agentId) != address(0)) _setMetadata(agentId, WALLET_KEY, "");
        return super._update(to, agentId, auth);
    }

    function _mintNext() private returns (uint256 agentId) {
        agentId = _nextId++;
        _mint(msg.sender, agentId);
    }

    function _announce(uint256 agentId, string memory agentURI) private {
        emit Registered(agentId, agentURI, msg.sender);
        _setMetadata(agentId, WALLET_KEY, abi.encodePacked(msg.sender));
    }

    /// @dev The owner's receiver hook runs last, when the agent is complete, so that nothing can be changed under our
    ///      feet.
    function _checkReceiver(uint256 agentId) private {
        ERC721Utils.checkOnERC721Received(msg.sender, address(0), msg.sender, agentId, "");
    }

    function _setMetadata(uint256 agentId, string memory key, bytes memory value) private {
        _metadata[agentId][key] = value;
        emit MetadataSet(agentId, key, key, value);
    }

    function _requireFreeKey(string memory key) private pure {
        require(keccak256(bytes(key)) != keccak256(bytes(WALLET_KEY)), "reserved key");
    }

    /// @dev ECDSA comes first even where the wallet has code, because an EOA with an EIP-7702 delegation signs with its
    ///      own key.
    function _isSignedBy(address wallet, bytes32 digest, bytes calldata signature) private view returns (bool) {
        (address recovered, ECDSA.RecoverError failure,) = ECDSA.tryRecoverCalldata(digest, signature);
        if (failure == ECDSA.RecoverError.NoError && recovered == wallet) return true;
        return SignatureChecker.isValidERC1271SignatureNowCalldata(wallet, digest, signature);
    }
}
