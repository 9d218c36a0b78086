// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {FiatToken} from "./usdc/FiatToken.sol";
import {Permits} from "./usdc/Permits.sol";
import {TransferAuthorizations} from "./usdc/TransferAuthorizations.sol";

/// @title TestUsdc
///
/// @notice A stand-in for USDC on the devnet: same calls, same EIP-712 types, same revert strings, and money made of
///         nothing.
///
/// @dev The domain is that of USDC on Base Sepolia: name "USDC", version "2". It has no proxy and one owner for all
///      roles.
contract TestUsdc is TransferAuthorizations, Permits {
    /// @param owner_ Holds every role, and is the first minter, without a limit.
    constructor(address owner_) FiatToken(owner_) {}
}
