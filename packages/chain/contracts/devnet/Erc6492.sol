// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {LowLevelCall} from "@openzeppelin/contracts/utils/LowLevelCall.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// @title Erc6492Preparation
///
/// @notice Makes the one call that an ERC-6492 signature asks for, from an address that nobody trusts.
///
/// @dev The signature's author chooses both target and data. A contract that is an owner of wallets must therefore
///      never make the call itself: "factory" could be someone's wallet and the data an `execute`. All the work is done
///      in the constructor, so the contract leaves no code behind.
contract Erc6492Preparation {
    /// @dev A failing call is no error here: whether the account can vouch for the signature afterwards is what counts.
    constructor(address factory, bytes memory factoryCalldata) {
        LowLevelCall.callNoReturn(factory, factoryCalldata);
    }
}

/// @title Erc6492
///
/// @notice Checks signatures of deployed contracts (ERC-1271), of contracts not yet deployed (ERC-6492) and of plain
///         keys.
library Erc6492 {
    /// @notice The last 32 bytes of a signature that carries deployment instructions.
    bytes32 internal constant MAGIC_SUFFIX = 0x6492649264926492649264926492649264926492649264926492649264926492;

    /// @notice Whether `signer` signed `digest`, deploying or preparing the signer where the signature says how.
    function isValidSignatureNow(address signer, bytes32 digest, bytes calldata signature) internal returns (bool) {
        if (!_isWrapped(signature)) return SignatureChecker.isValidSignatureNowCalldata(signer, digest, signature);

        (address factory, bytes memory factoryCalldata, bytes memory innerSignature) =
            abi.decode(signature[:signature.length - 32], (address, bytes, bytes));
        if (SignatureChecker.isValidERC1271SignatureNow(signer, digest, innerSignature)) return true;
        new Erc6492Preparation(factory, factoryCalldata);
        return SignatureChecker.isValidERC1271SignatureNow(signer, digest, innerSignature);
    }

    function _isWrapped(bytes calldata signature) private pure returns (bool) {
        return signature.length >= 32 && bytes32(signature[signature.length - 32:]) == MAGIC_SUFFIX;
    }
}
