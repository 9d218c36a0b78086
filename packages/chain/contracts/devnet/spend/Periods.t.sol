// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {SpendPermissionManager} from "../SpendPermissionManager.sol";
import {SpendPermissionTest} from "./SpendPermissionTest.t.sol";

contract PeriodsTest is SpendPermissionTest {
    function test_getLastUpdatedPeriod_is_zero_before_the_first_use() public view {
        _assertPeriod(MANAGER.getLastUpdatedPeriod(permission), 0, 0, 0);
    }

    function test_getCurrentPeriod_reverts_before_the_start() public {
        permission.start += 10;
        vm.expectRevert(
            abi.encodeWithSelector(
                SpendPermissionManager.BeforeSpendPermissionStart.selector, permission.start - 10, permission.start
            )
        );
        MANAGER.getCurrentPeriod(permission);
        vm.warp(permission.start);
        vm.assertEq(MANAGER.getCurrentPeriod(permission).start, permission.start);
    }

    function test_getCurrentPeriod_reverts_from_the_end_on() public {
        vm.warp(permission.end - 1);
        vm.assertEq(MANAGER.getCurrentPeriod(permission).end, permission.end);
        vm.warp(permission.end);
        vm.expectRevert(
            abi.encodeWithSelector(
                SpendPermissionManager.AfterSpendPermissionEnd.selector, permission.end, permission.end
            )
        );
        MANAGER.getCurrentPeriod(permission);
    }

    function test_spend_reverts_before_the_start_and_from_the_end_on() public {
        permission.start += 10;
        _approve();
        vm.expectPartialRevert(SpendPermissionManager.BeforeSpendPermissionStart.selector);
        _spend(1);
        vm.warp(permission.end);
        vm.expectPartialRevert(SpendPermissionManager.AfterSpendPermissionEnd.selector);
        _spend(1);
    }

    /// @dev Walks over the grid of a year second by second at each boundary: 12 whole periods and a last one of 5 days.
    function test_allowance_comes_back_exactly_at_each_boundary() public {
        _approve();
        for (uint256 n; n < 13; ++n) {
            uint256 start = permission.start + n * permission.period;
            uint256 end = n < 12 ? start + permission.period : permission.end;
            vm.warp(start);
            _assertPeriod(MANAGER.getCurrentPeriod(permission), start, end, 0);
            _spend(10e6);
            _assertPeriod(MANAGER.getLastUpdatedPeriod(permission), start, end, 10e6);
            vm.warp(end - 1);
            _assertPeriod(MANAGER.getCurrentPeriod(permission), start, end, 10e6);
            vm.expectPartialRevert(SpendPermissionManager.ExceededSpendPermission.selector);
            _spend(1);
        }
        vm.assertEq(usdc.balanceOf(spender), 130e6);
    }

    function test_unspent_allowance_lapses() public {
        _approve();
        vm.warp(permission.start + 5 * permission.period);
        vm.expectPartialRevert(SpendPermissionManager.ExceededSpendPermission.selector);
        _spend(10e6 + 1);
        _spend(10e6);
    }

    function test_period_is_counted_from_the_start_and_not_from_the_first_use() public {
        _approve();
        vm.warp(permission.start + permission.period - 1);
        _spend(10e6);
        vm.warp(permission.start + permission.period);
        _spend(10e6);
        vm.assertEq(usdc.balanceOf(spender), 20e6);
    }

    function test_start_in_the_past_keeps_its_own_grid() public {
        permission.start = uint48(block.timestamp - 45 days);
        _approve();
        _assertPeriod(
            MANAGER.getCurrentPeriod(permission), block.timestamp - 15 days, block.timestamp + 15 days, 0
        );
    }

    function test_period_longer_than_the_permission_ends_with_it() public {
        permission.period = type(uint48).max;
        permission.end = type(uint48).max;
        _approve();
        _spend(3e6);
        _assertPeriod(MANAGER.getCurrentPeriod(permission), permission.start, type(uint48).max, 3e6);
    }

    function testFuzz_getCurrentPeriod_lies_on_the_grid(uint48 start, uint48 end, uint48 period, uint48 time) public {
        start = uint48(bound(start, 0, type(uint48).max - 1));
        end = uint48(bound(end, uint256(start) + 1, type(uint48).max));
        period = uint48(bound(period, 1, type(uint48).max));
        time = uint48(bound(time, start, end - 1));
        (permission.start, permission.end, permission.period) = (start, end, period);
        vm.warp(time);

        SpendPermissionManager.PeriodSpend memory current = MANAGER.getCurrentPeriod(permission);
        uint256 n = (uint256(time) - start) / period;
        uint256 gridEnd = start + (n + 1) * period;
        _assertPeriod(current, start + n * period, gridEnd < end ? gridEnd : end, 0);
        vm.assertLe(current.start, time);
        vm.assertGt(current.end, time);
    }

    /// @dev Random spends at random times against a model that adds up per period by plain division.
    function testFuzz_spends_match_a_model(uint32[8] memory steps, uint32[8] memory values) public {
        permission.period = 7 days;
        _approve();
        uint256 modelPeriod;
        uint256 modelSpent;
        uint256 modelTotal;
        for (uint256 i; i < steps.length; ++i) {
            vm.warp(block.timestamp + steps[i] % 10 days);
            uint160 value = uint160(bound(values[i], 1, 10e6));
            uint256 period = (block.timestamp - permission.start) / 7 days;
            if (period != modelPeriod) (modelPeriod, modelSpent) = (period, 0);
            if (modelSpent + value > 10e6) {
                vm.expectRevert(
                    abi.encodeWithSelector(
                        SpendPermissionManager.ExceededSpendPermission.selector, modelSpent + value, 10e6
                    )
                );
            } else {
                modelSpent += value;
                modelTotal += value;
            }
            _spend(value);
            vm.assertEq(MANAGER.getCurrentPeriod(permission).spend, modelSpent);
        }
        vm.assertEq(usdc.balanceOf(spender), modelTotal);
    }
}
