// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {TestUsdc} from "../TestUsdc.sol";
import {FiatToken} from "./FiatToken.sol";
import {UsdcTest} from "./UsdcTest.t.sol";

contract FiatTokenTest is UsdcTest {
    function test_identity_of_the_token() public view {
        vm.assertEq(usdc.name(), "USDC");
        vm.assertEq(usdc.symbol(), "USDC");
        vm.assertEq(usdc.currency(), "USD");
        vm.assertEq(usdc.version(), "2");
        vm.assertEq(usdc.decimals(), 6);
        vm.assertEq(usdc.owner(), address(this));
        vm.assertTrue(usdc.isMinter(address(this)));
    }

    function test_constructor_reverts_without_an_owner() public {
        vm.expectRevert(bytes("FiatToken: new owner is the zero address"));
        new TestUsdc(address(0));
    }

    function testFuzz_transfer_moves_and_keeps_the_supply(uint256 value) public {
        value = bound(value, 0, 1000e6);
        uint256 supply = usdc.totalSupply();
        vm.expectEmit(address(usdc));
        emit IERC20.Transfer(alice, bob, value);
        vm.prank(alice);
        vm.assertTrue(usdc.transfer(bob, value));
        vm.assertEq(usdc.balanceOf(alice), 1000e6 - value);
        vm.assertEq(usdc.balanceOf(bob), value);
        vm.assertEq(usdc.totalSupply(), supply);
    }

    function test_transfer_to_oneself_changes_nothing() public {
        vm.prank(alice);
        usdc.transfer(alice, 400e6);
        vm.assertEq(usdc.balanceOf(alice), 1000e6);
    }

    function test_transfer_reverts_above_the_balance() public {
        vm.expectRevert(bytes("ERC20: transfer amount exceeds balance"));
        vm.prank(alice);
        usdc.transfer(bob, 1000e6 + 1);
    }

    function test_transfer_reverts_to_and_from_zero() public {
        vm.expectRevert(bytes("ERC20: transfer to the zero address"));
        vm.prank(alice);
        usdc.transfer(address(0), 1);
        vm.expectRevert(bytes("ERC20: transfer from the zero address"));
        vm.prank(address(0));
        usdc.transfer(bob, 0);
    }

    function testFuzz_transferFrom_uses_up_the_allowance(uint256 allowed, uint256 value) public {
        allowed = bound(allowed, 0, type(uint256).max);
        value = bound(value, 0, allowed < 1000e6 ? allowed : 1000e6);
        vm.expectEmit(address(usdc));
        emit IERC20.Approval(alice, bob, allowed);
        vm.prank(alice);
        vm.assertTrue(usdc.approve(bob, allowed));
        vm.prank(bob);
        vm.assertTrue(usdc.transferFrom(alice, carol, value));
        vm.assertEq(usdc.balanceOf(carol), value);
        vm.assertEq(usdc.allowance(alice, bob), allowed - value);
    }

    function test_transferFrom_reverts_above_the_allowance() public {
        vm.prank(alice);
        usdc.approve(bob, 10);
        vm.expectRevert(bytes("ERC20: transfer amount exceeds allowance"));
        vm.prank(bob);
        usdc.transferFrom(alice, bob, 11);
    }

    function test_transferFrom_reverts_above_the_balance() public {
        vm.prank(alice);
        usdc.approve(bob, type(uint256).max);
        vm.expectRevert(bytes("ERC20: transfer amount exceeds balance"));
        vm.prank(bob);
        usdc.transferFrom(alice, bob, 1000e6 + 1);
    }

    function test_approve_reverts_for_zero_addresses() public {
        vm.expectRevert(bytes("ERC20: approve to the zero address"));
        usdc.approve(address(0), 1);
        vm.expectRevert(bytes("ERC20: approve from the zero address"));
        vm.prank(address(0));
        usdc.approve(bob, 1);
    }

    function test_mint_within_the_allowance() public {
        vm.expectEmit(address(usdc));
        emit FiatToken.MinterConfigured(bob, 100);
        vm.assertTrue(usdc.configureMinter(bob, 100));
        uint256 supply = usdc.totalSupply();

        vm.expectEmit(address(usdc));
        emit FiatToken.Mint(bob, carol, 60);
        vm.expectEmit(address(usdc));
        emit IERC20.Transfer(address(0), carol, 60);
        vm.prank(bob);
        vm.assertTrue(usdc.mint(carol, 60));
        vm.assertEq(usdc.balanceOf(carol), 60);
        vm.assertEq(usdc.totalSupply(), supply + 60);
        vm.assertEq(usdc.minterAllowance(bob), 40);

        vm.expectRevert(bytes("FiatToken: mint amount exceeds minterAllowance"));
        vm.prank(bob);
        usdc.mint(carol, 41);
    }

    function test_mint_reverts() public {
        vm.expectRevert(bytes("FiatToken: caller is not a minter"));
        vm.prank(bob);
        usdc.mint(bob, 1);
        vm.expectRevert(bytes("FiatToken: mint to the zero address"));
        usdc.mint(address(0), 1);
        vm.expectRevert(bytes("FiatToken: mint amount not greater than 0"));
        usdc.mint(bob, 0);
    }

    function test_burn() public {
        usdc.mint(address(this), 100);
        uint256 supply = usdc.totalSupply();
        vm.expectEmit(address(usdc));
        emit FiatToken.Burn(address(this), 70);
        vm.expectEmit(address(usdc));
        emit IERC20.Transfer(address(this), address(0), 70);
        usdc.burn(70);
        vm.assertEq(usdc.balanceOf(address(this)), 30);
        vm.assertEq(usdc.totalSupply(), supply - 70);
    }

    function test_burn_reverts() public {
        vm.expectRevert(bytes("FiatToken: caller is not a minter"));
        vm.prank(alice);
        usdc.burn(1);
        vm.expectRevert(bytes("FiatToken: burn amount not greater than 0"));
        usdc.burn(0);
        vm.expectRevert(bytes("FiatToken: burn amount exceeds balance"));
        usdc.burn(1);
    }

    function test_removeMinter() public {
        usdc.configureMinter(bob, 100);
        vm.expectEmit(address(usdc));
        emit FiatToken.MinterRemoved(bob);
        vm.assertTrue(usdc.removeMinter(bob));
        vm.assertFalse(usdc.isMinter(bob));
        vm.assertEq(usdc.minterAllowance(bob), 0);
    }

    function test_roles_are_the_owners_alone() public {
        vm.startPrank(bob);
        vm.expectRevert(bytes("FiatToken: caller is not the masterMinter"));
        usdc.configureMinter(bob, 1);
        vm.expectRevert(bytes("FiatToken: caller is not the masterMinter"));
        usdc.removeMinter(alice);
        vm.expectRevert(bytes("Blacklistable: caller is not the blacklister"));
        usdc.blacklist(alice);
        vm.expectRevert(bytes("Blacklistable: caller is not the blacklister"));
        usdc.unBlacklist(alice);
        vm.expectRevert(bytes("Pausable: caller is not the pauser"));
        usdc.pause();
        vm.expectRevert(bytes("Pausable: caller is not the pauser"));
        usdc.unpause();
        vm.stopPrank();
    }

    function test_blacklist_bars_sender_receiver_and_carrier() public {
        vm.prank(alice);
        usdc.approve(carol, 10);
        vm.expectEmit(address(usdc));
        emit FiatToken.Blacklisted(bob);
        usdc.blacklist(bob);
        vm.assertTrue(usdc.isBlacklisted(bob));

        bytes memory reason = "Blacklistable: account is blacklisted";
        vm.expectRevert(reason);
        vm.prank(alice);
        usdc.transfer(bob, 1);
        vm.expectRevert(reason);
        vm.prank(bob);
        usdc.transfer(alice, 0);
        vm.expectRevert(reason);
        usdc.mint(bob, 1);
        vm.expectRevert(reason);
        vm.prank(carol);
        usdc.transferFrom(alice, bob, 1);
        vm.expectRevert(reason);
        vm.prank(bob);
        usdc.transferFrom(alice, carol, 0);
        vm.expectRevert(reason);
        vm.prank(carol);
        usdc.transferFrom(bob, carol, 0);
    }

    function test_blacklisted_minter_cannot_mint_or_burn() public {
        usdc.configureMinter(bob, 1);
        usdc.blacklist(bob);
        vm.startPrank(bob);
        vm.expectRevert(bytes("Blacklistable: account is blacklisted"));
        usdc.mint(alice, 1);
        vm.expectRevert(bytes("Blacklistable: account is blacklisted"));
        usdc.burn(1);
        vm.stopPrank();
    }

    function test_unBlacklist_lifts_the_bar() public {
        usdc.blacklist(bob);
        vm.expectEmit(address(usdc));
        emit FiatToken.UnBlacklisted(bob);
        usdc.unBlacklist(bob);
        vm.prank(alice);
        usdc.transfer(bob, 5);
        vm.assertEq(usdc.balanceOf(bob), 5);
    }

    function test_pause_halts_all_movement() public {
        vm.expectEmit(address(usdc));
        emit FiatToken.Pause();
        usdc.pause();
        vm.assertTrue(usdc.paused());

        bytes memory reason = "Pausable: paused";
        vm.expectRevert(reason);
        vm.prank(alice);
        usdc.transfer(bob, 1);
        vm.expectRevert(reason);
        usdc.transferFrom(alice, bob, 0);
        vm.expectRevert(reason);
        usdc.approve(bob, 1);
        vm.expectRevert(reason);
        usdc.mint(bob, 1);
        vm.expectRevert(reason);
        usdc.burn(1);
        vm.expectRevert(reason);
        usdc.configureMinter(bob, 1);
    }

    function test_unpause_lets_it_run_again() public {
        usdc.pause();
        vm.expectEmit(address(usdc));
        emit FiatToken.Unpause();
        usdc.unpause();
        vm.prank(alice);
        usdc.transfer(bob, 5);
        vm.assertEq(usdc.balanceOf(bob), 5);
    }
}
