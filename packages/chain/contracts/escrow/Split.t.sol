// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {EscrowTest} from "./EscrowTest.t.sol";
import {IEscrow} from "./IEscrow.sol";

contract SplitTest is EscrowTest {
    function test_splitOf_the_smallest_amounts_rounds_the_fee_down() public view {
        _assertSplit(1, 10_000, 1, 0, 0);
        _assertSplit(49, 10_000, 49, 0, 0);
        _assertSplit(50, 10_000, 49, 1, 0);
        _assertSplit(1, 9_999, 0, 0, 1);
        _assertSplit(100_000_000, 10_000, 98_000_000, 2_000_000, 0);
        _assertSplit(100_000_000, 0, 0, 0, 100_000_000);
        _assertSplit(100_000_049, 10_000, 98_000_049, 2_000_000, 0);
    }

    function testFuzz_splitOf_adds_up_to_the_deposit(uint128 amount, uint16 sellerBps) public view {
        sellerBps = uint16(bound(sellerBps, 0, 10_000));
        (uint256 sellerNet, uint256 fee, uint256 refunded) = escrow.splitOf(amount, sellerBps);
        vm.assertEq(sellerNet + fee + refunded, amount);
        vm.assertEq(sellerNet + fee, uint256(amount) * sellerBps / 10_000);
        vm.assertEq(fee, (sellerNet + fee) / 50);
    }

    function testFuzz_splitOf_gives_the_seller_more_for_a_greater_share(uint128 amount, uint16 low, uint16 high)
        public
        view
    {
        high = uint16(bound(high, 0, 10_000));
        low = uint16(bound(low, 0, high));
        (uint256 netLow,, uint256 refundLow) = escrow.splitOf(amount, low);
        (uint256 netHigh,, uint256 refundHigh) = escrow.splitOf(amount, high);
        vm.assertGe(netHigh, netLow);
        vm.assertGe(refundLow, refundHigh);
    }

    function testFuzz_rule_pays_what_splitOf_says(uint128 amount, uint16 sellerBps) public {
        terms.amount = uint128(bound(amount, 1, type(uint128).max));
        sellerBps = uint16(bound(sellerBps, 0, 10_000));
        key = _fund(terms);
        _dispute();
        vm.prank(arbiter);
        escrow.rule(key, sellerBps);

        (uint256 sellerNet, uint256 fee, uint256 refunded) = escrow.splitOf(terms.amount, sellerBps);
        vm.assertEq(usdc.balanceOf(agentWallet), sellerNet);
        vm.assertEq(usdc.balanceOf(treasury), fee);
        vm.assertEq(usdc.balanceOf(client), refunded);
        vm.assertEq(usdc.balanceOf(address(escrow)), 0);
        vm.assertTrue(escrow.jobOf(key).outcome == IEscrow.Outcome.Ruled);
    }

    function _assertSplit(uint128 amount, uint16 sellerBps, uint256 net, uint256 fee, uint256 refund) private view {
        (uint256 actualNet, uint256 actualFee, uint256 actualRefund) = escrow.splitOf(amount, sellerBps);
        vm.assertEq(actualNet, net);
        vm.assertEq(actualFee, fee);
        vm.assertEq(actualRefund, refund);
    }
}
