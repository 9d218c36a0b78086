// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {FiatToken} from "./FiatToken.sol";

/// @title SignedFiatToken
///
/// @notice The EIP-712 domain that USDC's signed calls share, and the check of a signature against it.
abstract contract SignedFiatToken is FiatToken {
    string public constant version = "2";

    /// @notice The EIP-712 domain separator, computed on every call so that a fork to another chain id is safe.
    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        // 0x0f: the fields name, version, chainId and verifyingContract.
        return MessageHashUtils.toDomainSeparator(0x0f, name, version, block.chainid, address(this), 0);
    }

    /// @dev A signer with code is asked by ERC-1271, one without is recovered by ECDSA.
    function _isSignedBy(address signer, bytes32 structHash, bytes memory signature) internal view returns (bool) {
        bytes32 digest = MessageHashUtils.toTypedDataHash(DOMAIN_SEPARATOR(), structHash);
        return SignatureChecker.isValidSignatureNow(signer, digest, signature);
    }
}
