// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {EscrowTest} from "./EscrowTest.t.sol";
import {IEscrow} from "./IEscrow.sol";

contract ClaimTest is EscrowTest {
    uint256 private constant FEE = 5_000_000;
    uint256 private constant NET = 245_000_001;

    function test_a_blacklisted_agent_wallet_gets_a_credit_and_blocks_nobody() public {
        _fundAndSubmit();
        usdc.blacklist(agentWallet);
        _expectClosed(IEscrow.Outcome.Released, NET, FEE, 0);
        vm.expectEmit(address(escrow));
        emit IEscrow.PaymentDeferred(agentWallet, NET);
        vm.prank(client);
        escrow.release(key);

        vm.assertTrue(escrow.jobOf(key).state == IEscrow.JobState.Closed);
        vm.assertEq(usdc.balanceOf(treasury), FEE);
        vm.assertEq(escrow.owedTo(agentWallet), NET);
        vm.assertEq(escrow.totalOwed(), NET);
        vm.assertEq(escrow.totalHeld(), 0);
    }

    function test_a_blacklisted_treasury_blocks_nobody() public {
        _fundAndSubmit();
        usdc.blacklist(treasury);
        vm.prank(client);
        escrow.release(key);
        vm.assertEq(usdc.balanceOf(agentWallet), NET);
        vm.assertEq(escrow.owedTo(treasury), FEE);
    }

    function test_a_blacklisted_client_blocks_nobody() public {
        _fundAndDispute();
        usdc.blacklist(client);
        vm.prank(arbiter);
        escrow.rule(key, 5_000);
        vm.assertEq(usdc.balanceOf(agentWallet), 122_500_000);
        vm.assertEq(usdc.balanceOf(treasury), 2_500_000);
        vm.assertEq(escrow.owedTo(client), 125_000_001);
    }

    function test_a_paused_token_defers_all_three_payments() public {
        _fundAndDispute();
        usdc.pause();
        vm.prank(arbiter);
        escrow.rule(key, 5_000);
        vm.assertEq(escrow.totalOwed(), AMOUNT);

        usdc.unpause();
        escrow.claim(agentWallet);
        escrow.claim(treasury);
        escrow.claim(client);
        _assertClosed(IEscrow.Outcome.Ruled, 122_500_000, 2_500_000, 125_000_001);
        vm.assertEq(escrow.totalOwed(), 0);
    }

    function test_credits_of_several_jobs_add_up() public {
        usdc.blacklist(agentWallet);
        for (uint256 i = 0; i < 3; i++) {
            terms.jobRef = bytes32(i);
            key = _fund(terms);
            _submit();
            vm.prank(client);
            escrow.release(key);
        }
        vm.assertEq(escrow.owedTo(agentWallet), 3 * NET);
        usdc.unBlacklist(agentWallet);
        escrow.claim(agentWallet);
        vm.assertEq(usdc.balanceOf(agentWallet), 3 * NET);
    }

    function test_claim_by_anyone_pays_the_recipient_only() public {
        _defer();
        usdc.unBlacklist(agentWallet);
        vm.expectEmit(address(escrow));
        emit IEscrow.PaymentClaimed(agentWallet, NET);
        vm.prank(stranger);
        escrow.claim(agentWallet);

        vm.assertEq(usdc.balanceOf(agentWallet), NET);
        vm.assertEq(usdc.balanceOf(stranger), 0);
        vm.assertEq(escrow.owedTo(agentWallet), 0);
        vm.assertEq(escrow.totalOwed(), 0);
    }

    function test_claim_reverts_and_keeps_the_credit_while_the_token_refuses() public {
        _defer();
        vm.expectRevert(bytes("Blacklistable: account is blacklisted"));
        escrow.claim(agentWallet);
        vm.assertEq(escrow.owedTo(agentWallet), NET);
        vm.assertEq(escrow.totalOwed(), NET);
    }

    function test_claim_reverts_when_nothing_is_owed() public {
        vm.expectRevert(abi.encodeWithSelector(IEscrow.NothingOwed.selector, stranger));
        escrow.claim(stranger);
    }

    function test_claim_pays_once() public {
        _defer();
        usdc.unBlacklist(agentWallet);
        escrow.claim(agentWallet);
        vm.expectRevert(abi.encodeWithSelector(IEscrow.NothingOwed.selector, agentWallet));
        escrow.claim(agentWallet);
    }

    function test_claim_of_a_fee_stays_with_the_treasury_that_earned_it() public {
        usdc.blacklist(treasury);
        _fundAndSubmit();
        vm.prank(client);
        escrow.release(key);
        vm.prank(treasury);
        escrow.proposeTreasury(stranger);
        vm.prank(stranger);
        escrow.acceptTreasury();
        usdc.unBlacklist(treasury);
        escrow.claim(treasury);
        vm.assertEq(usdc.balanceOf(treasury), FEE);
        vm.assertEq(usdc.balanceOf(stranger), 0);
    }

    /// Whatever gas a caller sends, a recipient that the token would pay is paid or the whole call fails.
    function testFuzz_a_payment_is_never_deferred_for_want_of_gas(uint256 gasLimit) public {
        _fundAndSubmit();
        gasLimit = bound(gasLimit, 20_000, 300_000);
        vm.prank(client);
        (bool released,) = address(escrow).call{gas: gasLimit}(abi.encodeCall(escrow.release, (key)));
        vm.assertEq(escrow.totalOwed(), 0);
        vm.assertEq(usdc.balanceOf(agentWallet), released ? NET : 0);
    }

    function _defer() private {
        _fundAndSubmit();
        usdc.blacklist(agentWallet);
        vm.prank(client);
        escrow.release(key);
    }
}
