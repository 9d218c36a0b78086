// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ERC721Holder} from "@openzeppelin/contracts/token/ERC721/utils/ERC721Holder.sol";
import {LowLevelCall} from "@openzeppelin/contracts/utils/LowLevelCall.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {WebAuthn} from "@openzeppelin/contracts/utils/cryptography/WebAuthn.sol";
import {WalletOwners} from "./WalletOwners.sol";

/// @title PasskeyWallet
///
/// @notice A smart wallet whose owners may be passkeys: they sign for it, and accounts among the owners act through it.
///
/// @dev The devnet's `SmartWallet` is part of its genesis and cannot change; this one came later. It has the signature
///      format of the Coinbase Smart Wallet. Without an ERC-4337 EntryPoint a passkey signs and sends nothing itself.
contract PasskeyWallet is WalletOwners, EIP712, ERC721Holder, IERC1271 {
    /// @notice A signature, with the index of the owner who made it.
    struct SignatureWrapper {
        uint256 ownerIndex;
        bytes signatureData;
    }

    /// @notice What a browser returns for a signature by passkey, in the layout of the Coinbase Smart Wallet.
    struct PasskeySignature {
        bytes authenticatorData;
        string clientDataJSON;
        uint256 challengeIndex;
        uint256 typeIndex;
        uint256 r;
        uint256 s;
    }

    bytes32 private constant MESSAGE_TYPEHASH = keccak256("CoinbaseSmartWalletMessage(bytes32 hash)");

    /// @notice The wallet has its owners already.
    error Initialized();

    /// @dev Nobody can become an owner of the shared code itself. The owners of each clone are in its own storage.
    constructor() EIP712("Coinbase Smart Wallet", "1") {
        _addOwner(abi.encode(address(0)));
    }

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

    /// @notice Makes one call in the name of the wallet. A target without code is no error.
    function execute(address target, uint256 value, bytes calldata data) external payable onlyOwner {
        if (!LowLevelCall.callNoReturn(target, value, data)) LowLevelCall.bubbleRevert();
    }

    /// @notice Whether an owner signed `hash` for this wallet (ERC-1271).
    ///
    /// @param hash What was signed, before it is bound to this wallet by `replaySafeHash`.
    /// @param signature An ABI-encoded `SignatureWrapper`; a passkey's data is an ABI-encoded `PasskeySignature`.
    ///
    /// @return 0x1626ba7e if so, 0xffffffff if not.
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        SignatureWrapper memory wrapper = abi.decode(signature, (SignatureWrapper));
        bytes memory owner = ownerAtIndex(wrapper.ownerIndex);
        bytes32 bound = replaySafeHash(hash);
        bool valid;
        if (owner.length == 64) valid = _isSignedByPasskey(owner, bound, wrapper.signatureData);
        else if (owner.length == 32) {
            address signer = abi.decode(owner, (address));
            valid = SignatureChecker.isValidSignatureNow(signer, bound, wrapper.signatureData);
        } else {
            revert InvalidOwnerBytesLength(owner);
        }
        return valid ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }

    /// @notice Binds a hash to this wallet and chain, so that a signature of an owner of two wallets serves only one.
    function replaySafeHash(bytes32 hash) public view returns (bytes32) {
        return _hashTypedDataV4(keccak256(abi.encode(MESSAGE_TYPEHASH, hash)));
    }

    /// @dev As the original, it asks for the owner's presence and not for a PIN or a finger: that is the browser's part.
    function _isSignedByPasskey(bytes memory owner, bytes32 hash, bytes memory data) private view returns (bool) {
        (bytes32 x, bytes32 y) = abi.decode(owner, (bytes32, bytes32));
        PasskeySignature memory signed = abi.decode(data, (PasskeySignature));
        WebAuthn.WebAuthnAuth memory auth = WebAuthn.WebAuthnAuth({
            r: bytes32(signed.r),
            s: bytes32(signed.s),
            challengeIndex: signed.challengeIndex,
            typeIndex: signed.typeIndex,
            authenticatorData: signed.authenticatorData,
            clientDataJSON: signed.clientDataJSON
        });
        return WebAuthn.verify(abi.encodePacked(hash), auth, x, y, false);
    }
}
