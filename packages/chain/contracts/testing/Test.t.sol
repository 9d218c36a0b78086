// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Test} from "./Test.sol";

contract TestTest is Test {
    function testFuzz_bound_stays_inside_the_range(uint256 value, uint256 low, uint256 high) public pure {
        vm.assume(low <= high);
        uint256 folded = bound(value, low, high);
        vm.assertGe(folded, low);
        vm.assertLe(folded, high);
    }

    function test_makeAddr_is_the_account_of_makeKey() public {
        vm.assertEq(makeAddr("alice"), vm.addr(makeKey("alice")));
    }
}
