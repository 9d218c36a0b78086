// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {Create2} from "@openzeppelin/contracts/utils/Create2.sol";
import {SmartWallet} from "./SmartWallet.sol";

/// @title SmartWalletFactory
///
/// @notice Creates smart wallets at addresses that are known beforehand, from their owners and a nonce.
///
/// @dev Its runtime code is placed at the address of Coinbase's factory, so it has no constructor and no immutables,
///      and carries the wallet's code inside. The addresses differ from those on Base; whoever needs one asks
///      `getAddress`.
contract SmartWalletFactory {
    /// @notice A wallet was created.
    event AccountCreated(address indexed account, bytes[] owners, uint256 nonce);

    /// @notice A wallet needs an owner.
    error OwnerRequired();

    /// @notice Creates the wallet of these owners and this nonce, or finds it, and hands it the value of the call.
    ///
    /// @param owners Each 32 bytes (an address) or 64 bytes (a passkey).
    /// @param nonce Tells apart several wallets of the same owners.
    ///
    /// @return account The wallet.
    function createAccount(bytes[] calldata owners, uint256 nonce) external payable returns (SmartWallet account) {
        if (owners.length == 0) revert OwnerRequired();
        address predicted = getAddress(owners, nonce);
        account = SmartWallet(payable(predicted));
        if (predicted.code.length == 0) {
            new SmartWallet{salt: _saltOf(owners, nonce)}();
            emit AccountCreated(predicted, owners, nonce);
            account.initialize{value: msg.value}(owners);
        } else if (msg.value > 0) {
            Address.sendValue(payable(predicted), msg.value);
        }
    }

    /// @notice Where the wallet of these owners and this nonce is, or will be.
    function getAddress(bytes[] calldata owners, uint256 nonce) public view returns (address) {
        return Create2.computeAddress(_saltOf(owners, nonce), initCodeHash());
    }

    /// @notice The hash of the code that creates a wallet.
    function initCodeHash() public pure returns (bytes32) {
        return keccak256(type(SmartWallet).creationCode);
    }

    function _saltOf(bytes[] calldata owners, uint256 nonce) private pure returns (bytes32) {
        return keccak256(abi.encode(owners, nonce));
    }
}
