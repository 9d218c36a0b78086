// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SpendPermissionManager} from "../SpendPermissionManager.sol";
import {WalletOwners} from "../WalletOwners.sol";
import {SpendPermissionTest} from "./SpendPermissionTest.t.sol";

/// @dev An account that is its own spender, and tries to spend once more from inside `execute`.
contract ReentrantAccount {
    SpendPermissionManager private immutable _manager;
    SpendPermissionManager.SpendPermission private _permission;
    uint160 private _value;
    bool private _entered;

    constructor(SpendPermissionManager manager) {
        _manager = manager;
    }

    function approve(SpendPermissionManager.SpendPermission calldata permission) external {
        _permission = permission;
        _manager.approve(permission);
    }

    function spend(uint160 value) external {
        _value = value;
        _manager.spend(_permission, value);
    }

    function execute(address target, uint256 value, bytes calldata data) external {
        if (!_entered) {
            _entered = true;
            _manager.spend(_permission, _value);
        }
        (bool success,) = target.call{value: value}(data);
        require(success, "call failed");
    }

    receive() external payable {}
}

/// @dev An account that says it executed and did nothing.
contract IdleAccount {
    function execute(address, uint256, bytes calldata) external {}
}

/// @dev A spender that cannot take native money.
contract PennilessSpender {
    function spend(SpendPermissionManager manager, SpendPermissionManager.SpendPermission calldata permission)
        external
    {
        manager.spend(permission, 1);
    }
}

contract SpendTest is SpendPermissionTest {
    function testFuzz_spend_moves_the_value_to_the_spender(uint160 value) public {
        value = uint160(bound(value, 1, permission.allowance));
        _approve();
        vm.expectEmit(address(MANAGER));
        emit SpendPermissionManager.SpendPermissionUsed(
            MANAGER.getHash(permission),
            address(wallet),
            spender,
            address(usdc),
            SpendPermissionManager.PeriodSpend(permission.start, permission.start + permission.period, value)
        );
        vm.expectEmit(address(usdc));
        emit IERC20.Transfer(address(wallet), spender, value);
        _spend(value);
        vm.assertEq(usdc.balanceOf(spender), value);
        vm.assertEq(usdc.balanceOf(address(wallet)), 1000e6 - value);
        vm.assertEq(usdc.allowance(address(wallet), address(MANAGER)), 0);
    }

    function test_spend_event_carries_the_increment_and_the_view_the_total() public {
        _approve();
        _spend(4e6);
        vm.expectEmit(address(MANAGER));
        emit SpendPermissionManager.SpendPermissionUsed(
            MANAGER.getHash(permission),
            address(wallet),
            spender,
            address(usdc),
            SpendPermissionManager.PeriodSpend(permission.start, permission.start + permission.period, 1e6)
        );
        _spend(1e6);
        _assertPeriod(
            MANAGER.getCurrentPeriod(permission), permission.start, permission.start + permission.period, 5e6
        );
    }

    function testFuzz_spend_never_passes_the_allowance_of_a_period(uint160 first, uint160 second) public {
        first = uint160(bound(first, 1, permission.allowance));
        second = uint160(bound(second, permission.allowance - first + 1, type(uint128).max));
        _approve();
        _spend(first);
        vm.expectRevert(
            abi.encodeWithSelector(
                SpendPermissionManager.ExceededSpendPermission.selector,
                uint256(first) + second,
                permission.allowance
            )
        );
        _spend(second);
        vm.assertEq(usdc.balanceOf(spender), first);
    }

    function test_spend_reverts_on_overflow() public {
        permission.allowance = type(uint160).max;
        _approve();
        _spend(1);
        uint256 total = uint256(type(uint160).max) + 1;
        vm.expectRevert(abi.encodeWithSelector(SpendPermissionManager.SpendValueOverflow.selector, total));
        _spend(type(uint160).max);
    }

    function test_spend_reverts_on_zero() public {
        _approve();
        vm.expectRevert(SpendPermissionManager.ZeroValue.selector);
        _spend(0);
    }

    function test_spend_reverts_before_the_approval() public {
        vm.expectRevert(SpendPermissionManager.UnauthorizedSpendPermission.selector);
        _spend(1);
    }

    function test_spend_reverts_for_terms_that_were_not_approved() public {
        _approve();
        permission.allowance += 1;
        vm.expectRevert(SpendPermissionManager.UnauthorizedSpendPermission.selector);
        _spend(1);
    }

    function testFuzz_spend_reverts_for_another_spender(address caller) public {
        vm.assume(caller != spender);
        _approve();
        vm.expectRevert(abi.encodeWithSelector(SpendPermissionManager.InvalidSender.selector, caller, spender));
        vm.prank(caller);
        MANAGER.spend(permission, 1);
    }

    function test_spend_reverts_above_the_balance_and_books_nothing() public {
        permission.allowance = 2000e6;
        _approve();
        vm.expectRevert(bytes("ERC20: transfer amount exceeds balance"));
        _spend(1001e6);
        vm.assertEq(MANAGER.getCurrentPeriod(permission).spend, 0);
    }

    function test_spend_reverts_once_the_manager_is_no_owner() public {
        _approve();
        vm.prank(alice);
        wallet.removeOwnerAtIndex(1, abi.encode(address(MANAGER)));
        vm.expectRevert(WalletOwners.Unauthorized.selector);
        _spend(1);
    }

    function test_spend_reverts_for_a_blacklisted_spender() public {
        _approve();
        usdc.blacklist(spender);
        vm.expectRevert(bytes("Blacklistable: account is blacklisted"));
        _spend(1);
    }

    function test_spend_reverts_when_the_account_does_not_approve() public {
        permission.account = address(new IdleAccount());
        usdc.mint(permission.account, 10e6);
        _approve();
        vm.expectRevert(bytes("ERC20: transfer amount exceeds allowance"));
        _spend(1);
    }

    function test_reentrant_account_cannot_pass_its_allowance() public {
        ReentrantAccount account = new ReentrantAccount(MANAGER);
        usdc.mint(address(account), 100e6);
        permission = _permissionOf(address(account));
        permission.spender = address(account);
        account.approve(permission);
        vm.expectRevert(
            abi.encodeWithSelector(SpendPermissionManager.ExceededSpendPermission.selector, 12e6, 10e6)
        );
        account.spend(6e6);
    }

    function test_reentrant_account_within_its_allowance_is_booked_twice() public {
        ReentrantAccount account = new ReentrantAccount(MANAGER);
        usdc.mint(address(account), 100e6);
        permission = _permissionOf(address(account));
        permission.spender = address(account);
        account.approve(permission);
        account.spend(5e6);
        vm.assertEq(MANAGER.getCurrentPeriod(permission).spend, 10e6);
    }

    // ---- Native token ----

    function testFuzz_spend_native(uint160 value) public {
        value = uint160(bound(value, 1, 10e6));
        _approveNative();
        _spend(value);
        vm.assertEq(spender.balance, value);
        vm.assertEq(address(wallet).balance, 1 ether - value);
        vm.assertEq(address(MANAGER).balance, 0);
    }

    function test_spend_native_reverts_when_the_account_sends_nothing() public {
        permission.account = address(new IdleAccount());
        permission.token = MANAGER.NATIVE_TOKEN();
        _approve();
        vm.expectRevert();
        _spend(1);
    }

    function test_spend_native_reverts_when_the_spender_cannot_take_it() public {
        PennilessSpender penniless = new PennilessSpender();
        permission.spender = address(penniless);
        _approveNative();
        vm.expectRevert();
        penniless.spend(MANAGER, permission);
        vm.assertEq(address(wallet).balance, 1 ether);
    }

    function test_manager_takes_no_native_money_outside_of_a_spend() public {
        vm.deal(alice, 1 ether);
        vm.prank(alice);
        (bool sent, bytes memory reason) = address(MANAGER).call{value: 5}("");
        vm.assertFalse(sent);
        vm.assertEq(reason, abi.encodeWithSelector(SpendPermissionManager.UnexpectedReceiveAmount.selector, 5, 0));
    }

    function test_manager_takes_no_second_payment_after_a_native_spend() public {
        _approveNative();
        _spend(5);
        vm.deal(alice, 1 ether);
        vm.prank(alice);
        (bool sent, bytes memory reason) = address(MANAGER).call{value: 5}("");
        vm.assertFalse(sent);
        vm.assertEq(reason, abi.encodeWithSelector(SpendPermissionManager.UnexpectedReceiveAmount.selector, 5, 0));
    }

    function _approveNative() private {
        permission.token = MANAGER.NATIVE_TOKEN();
        vm.deal(address(wallet), 1 ether);
        _approve();
    }
}
