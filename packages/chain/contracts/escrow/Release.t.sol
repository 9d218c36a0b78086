// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Escrow} from "../Escrow.sol";
import {EscrowTest} from "./EscrowTest.t.sol";
import {IEscrow} from "./IEscrow.sol";

contract ReleaseTest is EscrowTest {
    uint256 private constant FEE = 5_000_000;
    uint256 private constant NET = 245_000_001;

    function test_release_by_the_client_pays_agent_and_treasury() public {
        _fundAndSubmit();
        _expectClosed(IEscrow.Outcome.Released, NET, FEE, 0);
        vm.prank(client);
        escrow.release(key);
        _assertClosed(IEscrow.Outcome.Released, NET, FEE, 0);
    }

    function test_release_is_relayed_by_the_operator() public {
        _fundAndSubmit();
        vm.prank(operator);
        escrow.release(key);
        _assertClosed(IEscrow.Outcome.Released, NET, FEE, 0);
    }

    function test_release_by_anyone_once_the_window_has_passed() public {
        _fundAndSubmit();
        vm.warp(escrow.jobOf(key).reviewEndsAt);
        vm.prank(stranger);
        escrow.release(key);
        _assertClosed(IEscrow.Outcome.Released, NET, FEE, 0);
        vm.assertEq(usdc.balanceOf(stranger), 0);
    }

    function test_release_reverts_for_others_within_the_window() public {
        _fundAndSubmit();
        vm.warp(escrow.jobOf(key).reviewEndsAt - 1);
        address[5] memory callers = [seller, agentWallet, arbiter, treasury, stranger];
        for (uint256 i = 0; i < callers.length; i++) {
            _expectNotAllowed(callers[i], IEscrow.Party.Client);
            escrow.release(key);
        }
    }

    function test_release_reverts_in_every_other_state() public {
        _assertWrongStates(client, abi.encodeCall(Escrow.release, (key)), SUBMITTED);
    }

    function test_release_leaves_other_jobs_alone() public {
        _fundAndSubmit();
        IEscrow.JobTerms memory other = terms;
        other.jobRef = "job-2";
        bytes32 otherKey = _fund(other);
        vm.prank(client);
        escrow.release(key);

        vm.assertEq(escrow.totalHeld(), AMOUNT);
        vm.assertTrue(escrow.jobOf(otherKey).state == IEscrow.JobState.Funded);
        vm.assertEq(usdc.balanceOf(address(escrow)), AMOUNT);
    }

    function test_release_pays_a_treasury_that_changed_since_the_deposit() public {
        _fundAndSubmit();
        vm.prank(treasury);
        escrow.proposeTreasury(stranger);
        vm.prank(stranger);
        escrow.acceptTreasury();
        vm.prank(client);
        escrow.release(key);
        vm.assertEq(usdc.balanceOf(stranger), FEE);
        vm.assertEq(usdc.balanceOf(treasury), 0);
    }

    /// At every moment after a delivery, either a dispute or the release by anyone is possible: never both, never neither.
    function testFuzz_release_by_anyone_and_dispute_exclude_each_other(uint256 delay) public {
        _fundAndSubmit();
        vm.warp(block.timestamp + bound(delay, 0, 14 days));

        uint256 snapshot = vm.snapshotState();
        vm.prank(stranger);
        (bool released,) = address(escrow).call(abi.encodeCall(Escrow.release, (key)));
        vm.revertToState(snapshot);
        vm.prank(client);
        (bool disputed,) = address(escrow).call(abi.encodeCall(Escrow.openDispute, (key, IEscrow.Party.Client)));

        vm.assertTrue(released != disputed, "both or neither");
    }
}
