// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Vm} from "./Vm.sol";

/// @notice The base of every Solidity test: the cheatcodes, and numbers brought into a range.
abstract contract Test {
    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    /// @dev Folds `value` into `[low, high]`; a value that is inside already stays as it is.
    function bound(uint256 value, uint256 low, uint256 high) internal pure returns (uint256) {
        require(low <= high, "bound: low above high");
        if (value >= low && value <= high) return value;
        if (low == 0 && high == type(uint256).max) return value;
        return low + value % (high - low + 1);
    }

    /// @dev A named account: the same name gives the same address in every run.
    function makeAddr(string memory name) internal returns (address account) {
        account = vm.addr(makeKey(name));
        vm.label(account, name);
    }

    /// @dev The private key behind `makeAddr(name)`.
    function makeKey(string memory name) internal pure returns (uint256) {
        return uint256(keccak256(bytes(name)));
    }
}
