// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ERC721Holder} from "@openzeppelin/contracts/token/ERC721/utils/ERC721Holder.sol";
import {LowLevelCall} from "@openzeppelin/contracts/utils/LowLevelCall.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {WalletOwners} from "./WalletOwners.sol";

/// @title SmartWallet
///
/// @notice A wallet that several owners share: each of them may act through it and sign for it alone.
///
/// @dev A devnet stand-in for the Coinbase Smart Wallet: same calls, owner layout and signature format. The devnet has
///      no ERC-4337 EntryPoint, so owners call the wallet directly and there is no `validateUserOp`; passkey owners are
///      kept but cannot sign; and a wallet is a whole contract instead of an upgradeable proxy.
contract SmartWallet is WalletOwners, ERC721Holder, IERC1271 {
    /// @notice A signature, with the index of the owner who made it.
    struct SignatureWrapper {
        uint256 ownerIndex;
        bytes signatureData;
    }

    /// @notice One call of a batch.
    struct Call {
        address target;
        uint256 value;
        bytes data;
    }

    string private constant DOMAIN_NAME = "Coinbase Smart Wallet";
    string private constant DOMAIN_VERSION = "1";
    bytes32 private constant MESSAGE_TYPEHASH = keccak256("CoinbaseSmartWalletMessage(bytes32 hash)");

    /// @notice The wallet has its owners already.
    error Initialized();

    /// @notice Signatures by passkeys are not checked on the devnet.
    error PasskeySignatureNotSupported(uint256 ownerIndex);

    receive() external payable {}

    /// @notice Sets the first owners, once; the factory does so in the transaction that creates the wallet.
    ///
    /// @param owners Each 32 bytes (an address) or 64 bytes (a passkey).
    function initialize(bytes[] calldata owners) external payable {
        if (nextOwnerIndex != 0) revert Initialized();
        for (uint256 i; i < owners.length; ++i) {
            _addOwner(owners[i]);
        }
    }

    /// @notice Makes one call in the name of the wallet.
    function execute(address target, uint256 value, bytes calldata data) external payable onlyOwner {
        _call(target, value, data);
    }

    /// @notice Makes several calls in the name of the wallet; if one fails, none happened.
    function executeBatch(Call[] calldata calls) external payable onlyOwner {
        for (uint256 i; i < calls.length; ++i) {
            _call(calls[i].target, calls[i].value, calls[i].data);
        }
    }

    /// @notice Whether an owner signed `hash` for this wallet (ERC-1271).
    ///
    /// @param hash What was signed, before it is bound to this wallet by `replaySafeHash`.
    /// @param signature An ABI-encoded `SignatureWrapper`.
    ///
    /// @return 0x1626ba7e if so, 0xffffffff if not.
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        SignatureWrapper memory wrapper = abi.decode(signature, (SignatureWrapper));
        bytes memory owner = ownerAtIndex(wrapper.ownerIndex);
        if (owner.length == 64) revert PasskeySignatureNotSupported(wrapper.ownerIndex);
        if (owner.length != 32) revert InvalidOwnerBytesLength(owner);

        address signer = abi.decode(owner, (address));
        bool valid = SignatureChecker.isValidSignatureNow(signer, replaySafeHash(hash), wrapper.signatureData);
        return valid ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }

    /// @notice Binds a hash to this wallet and chain, so that a signature of an owner of two wallets serves only one.
    function replaySafeHash(bytes32 hash) public view returns (bytes32) {
        return MessageHashUtils.toTypedDataHash(domainSeparator(), keccak256(abi.encode(MESSAGE_TYPEHASH, hash)));
    }

    /// @notice The EIP-712 domain separator of this wallet.
    function domainSeparator() public view returns (bytes32) {
        // 0x0f: the fields name, version, chainId and verifyingContract.
        return MessageHashUtils.toDomainSeparator(0x0f, DOMAIN_NAME, DOMAIN_VERSION, block.chainid, address(this), 0);
    }

    /// @notice The EIP-712 domain, as ERC-5267 asks for it.
    function eip712Domain()
        external
        view
        returns (
            bytes1 fields,
            string memory name,
            string memory version,
            uint256 chainId,
            address verifyingContract,
            bytes32 salt,
            uint256[] memory extensions
        )
    {
        return (0x0f, DOMAIN_NAME, DOMAIN_VERSION, block.chainid, address(this), 0, new uint256[](0));
    }

    /// @dev A target without code is no error: that is how the wallet pays plain accounts.
    function _call(address target, uint256 value, bytes calldata data) private {
        if (!LowLevelCall.callNoReturn(target, value, data)) LowLevelCall.bubbleRevert();
    }
}
