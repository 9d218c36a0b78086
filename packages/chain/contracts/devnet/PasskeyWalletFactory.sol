// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {PasskeyWallet} from "./PasskeyWallet.sol";

/// @title PasskeyWalletFactory
///
/// @notice Creates passkey wallets at addresses that are known beforehand, from their owners and a nonce.
///
/// @dev It has the calls of Coinbase's factory, at an address of its own.
contract PasskeyWalletFactory {
    /// @notice The code that all wallets share.
    address public immutable IMPLEMENTATION = address(new PasskeyWallet());

    /// @notice A wallet was created.
    event AccountCreated(address indexed account, bytes[] owners, uint256 nonce);

    /// @notice A wallet needs an owner.
    error OwnerRequired();

    /// @notice Creates the wallet of these owners and this nonce, or finds it.
    ///
    /// @param owners Each 32 bytes (an address) or 64 bytes (a passkey).
    /// @param nonce Tells apart several wallets of the same owners.
    ///
    /// @return account The wallet.
    function createAccount(bytes[] calldata owners, uint256 nonce) external returns (PasskeyWallet account) {
        if (owners.length == 0) revert OwnerRequired();
        address predicted = getAddress(owners, nonce);
        account = PasskeyWallet(payable(predicted));
        if (predicted.code.length > 0) return account;
        Clones.cloneDeterministic(IMPLEMENTATION, _saltOf(owners, nonce));
        emit AccountCreated(predicted, owners, nonce);
        account.initialize(owners);
    }

    /// @notice Where the wallet of these owners and this nonce is, or will be.
    function getAddress(bytes[] calldata owners, uint256 nonce) public view returns (address) {
        return Clones.predictDeterministicAddress(IMPLEMENTATION, _saltOf(owners, nonce));
    }

    function _saltOf(bytes[] calldata owners, uint256 nonce) private pure returns (bytes32) {
        return keccak256(abi.encode(owners, nonce));
    }
}
