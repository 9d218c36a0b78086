// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {SpendPermissionManager} from "../SpendPermissionManager.sol";
import {SpendPermissionTest} from "./SpendPermissionTest.t.sol";

contract RevokeTest is SpendPermissionTest {
    function test_revoke_by_the_account() public {
        _approve();
        vm.expectEmit(address(MANAGER));
        emit SpendPermissionManager.SpendPermissionRevoked(MANAGER.getHash(permission), permission);
        vm.prank(address(wallet));
        MANAGER.revoke(permission);
        vm.assertTrue(MANAGER.isRevoked(permission));
        vm.assertTrue(MANAGER.isApproved(permission));
        vm.assertFalse(MANAGER.isValid(permission));
        vm.expectRevert(SpendPermissionManager.UnauthorizedSpendPermission.selector);
        _spend(1);
    }

    function test_revoke_through_the_wallet_of_the_owner() public {
        _approve();
        vm.prank(alice);
        wallet.execute(address(MANAGER), 0, abi.encodeCall(MANAGER.revoke, (permission)));
        vm.assertTrue(MANAGER.isRevoked(permission));
    }

    function test_revoke_again_emits_nothing() public {
        vm.startPrank(address(wallet));
        MANAGER.revoke(permission);
        vm.recordLogs();
        MANAGER.revoke(permission);
        vm.stopPrank();
        vm.assertEq(vm.getRecordedLogs().length, 0);
        vm.assertTrue(MANAGER.isRevoked(permission));
    }

    function test_revoke_touches_no_other_permission() public {
        _approve();
        SpendPermissionManager.SpendPermission memory other = permission;
        other.salt = 2;
        vm.prank(address(wallet));
        MANAGER.revoke(other);
        vm.assertTrue(MANAGER.isValid(permission));
    }

    function testFuzz_revoke_reverts_for_anyone_else(address caller) public {
        vm.assume(caller != address(wallet));
        vm.expectRevert(
            abi.encodeWithSelector(SpendPermissionManager.InvalidSender.selector, caller, address(wallet))
        );
        vm.prank(caller);
        MANAGER.revoke(permission);
    }

    function test_revokeAsSpender() public {
        _approve();
        vm.expectEmit(address(MANAGER));
        emit SpendPermissionManager.SpendPermissionRevoked(MANAGER.getHash(permission), permission);
        vm.prank(spender);
        MANAGER.revokeAsSpender(permission);
        vm.assertFalse(MANAGER.isValid(permission));
        vm.assertFalse(_approve());
    }

    function testFuzz_revokeAsSpender_reverts_for_anyone_else(address caller) public {
        vm.assume(caller != spender);
        vm.expectRevert(abi.encodeWithSelector(SpendPermissionManager.InvalidSender.selector, caller, spender));
        vm.prank(caller);
        MANAGER.revokeAsSpender(permission);
    }

    function test_approveWithRevoke_replaces() public {
        _approve();
        _spend(4e6);
        SpendPermissionManager.SpendPermission memory larger = _larger();
        SpendPermissionManager.PeriodSpend memory last = MANAGER.getLastUpdatedPeriod(permission);
        vm.expectEmit(address(MANAGER));
        emit SpendPermissionManager.SpendPermissionRevoked(MANAGER.getHash(permission), permission);
        vm.expectEmit(address(MANAGER));
        emit SpendPermissionManager.SpendPermissionApproved(MANAGER.getHash(larger), larger);
        vm.prank(address(wallet));
        vm.assertTrue(MANAGER.approveWithRevoke(larger, permission, last));
        vm.assertFalse(MANAGER.isValid(permission));
        vm.assertTrue(MANAGER.isValid(larger));
    }

    function test_approveWithRevoke_reverts_when_a_spend_slipped_in() public {
        _approve();
        SpendPermissionManager.PeriodSpend memory expected = MANAGER.getLastUpdatedPeriod(permission);
        _spend(4e6);
        SpendPermissionManager.PeriodSpend memory actual = MANAGER.getLastUpdatedPeriod(permission);
        vm.expectRevert(
            abi.encodeWithSelector(SpendPermissionManager.InvalidLastUpdatedPeriod.selector, actual, expected)
        );
        vm.prank(address(wallet));
        MANAGER.approveWithRevoke(_larger(), permission, expected);
        vm.assertTrue(MANAGER.isValid(permission));
    }

    function test_approveWithRevoke_says_false_for_the_very_same_permission() public {
        _approve();
        vm.prank(address(wallet));
        bool usable =
            MANAGER.approveWithRevoke(permission, permission, SpendPermissionManager.PeriodSpend(0, 0, 0));
        vm.assertFalse(usable);
        vm.assertFalse(MANAGER.isValid(permission));
    }

    function test_approveWithRevoke_reverts_across_accounts() public {
        SpendPermissionManager.SpendPermission memory foreign = _permissionOf(alice);
        vm.expectRevert(
            abi.encodeWithSelector(SpendPermissionManager.MismatchedAccounts.selector, address(wallet), alice)
        );
        vm.prank(address(wallet));
        MANAGER.approveWithRevoke(permission, foreign, SpendPermissionManager.PeriodSpend(0, 0, 0));
    }

    function test_approveWithRevoke_reverts_for_anyone_else() public {
        vm.expectRevert(
            abi.encodeWithSelector(SpendPermissionManager.InvalidSender.selector, spender, address(wallet))
        );
        vm.prank(spender);
        MANAGER.approveWithRevoke(_larger(), permission, SpendPermissionManager.PeriodSpend(0, 0, 0));
    }

    function _larger() private view returns (SpendPermissionManager.SpendPermission memory larger) {
        larger = permission;
        larger.allowance = 20e6;
    }
}
