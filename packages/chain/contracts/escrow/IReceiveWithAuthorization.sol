// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

/// @title The one call of EIP-3009 that the escrow makes
interface IReceiveWithAuthorization {
    /// @notice Moves `value` from `from` to the caller, who must be `to`, on a signature by `from`.
    ///
    /// @param signature 65 bytes of an EOA, or whatever the wallet contract `from` accepts by ERC-1271.
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external;
}
