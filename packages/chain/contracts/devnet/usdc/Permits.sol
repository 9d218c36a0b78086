// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {SignedFiatToken} from "./SignedFiatToken.sol";

/// @title Permits
///
/// @notice EIP-2612: an allowance that the holder signs and anyone carries to the chain.
abstract contract Permits is SignedFiatToken {
    bytes32 public constant PERMIT_TYPEHASH =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");

    /// @notice The nonce that the next permit of a holder must carry.
    mapping(address holder => uint256 nonce) public nonces;

    /// @notice Sets the allowance of `spender` with the holder's signature.
    ///
    /// @param holder Whose tokens, and who signed.
    /// @param spender Who may move them.
    /// @param value The allowance.
    /// @param deadline The last second at which the permit holds.
    function permit(address holder, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external
    {
        _permit(holder, spender, value, deadline, abi.encodePacked(r, s, v));
    }

    /// @notice As above, with the signature as bytes, which ERC-1271 signers need.
    function permit(address holder, address spender, uint256 value, uint256 deadline, bytes memory signature)
        external
    {
        _permit(holder, spender, value, deadline, signature);
    }

    function _permit(address holder, address spender, uint256 value, uint256 deadline, bytes memory signature)
        private
        whenNotPaused
    {
        require(block.timestamp <= deadline, "FiatTokenV2: permit is expired");
        bytes32 structHash = keccak256(abi.encode(PERMIT_TYPEHASH, holder, spender, value, nonces[holder]++, deadline));
        require(_isSignedBy(holder, structHash, signature), "EIP2612: invalid signature");
        _approve(holder, spender, value);
    }
}
