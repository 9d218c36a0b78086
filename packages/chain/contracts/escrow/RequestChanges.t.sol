// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Escrow} from "../Escrow.sol";
import {EscrowTest} from "./EscrowTest.t.sol";
import {IEscrow} from "./IEscrow.sol";

contract RequestChangesTest is EscrowTest {
    function test_requestChanges_sends_the_work_back() public {
        _fundAndSubmit();
        vm.expectEmit(address(escrow));
        emit IEscrow.ChangesRequested(key, 1, uint64(block.timestamp + 7 days));
        _requestChanges();

        IEscrow.Job memory job = escrow.jobOf(key);
        vm.assertTrue(job.state == IEscrow.JobState.Funded);
        vm.assertEq(uint256(job.changeRequests), 1);
        vm.assertEq(uint256(job.reviewEndsAt), 0);
    }

    function test_requestChanges_is_relayed_by_the_operator() public {
        _fundAndSubmit();
        vm.prank(operator);
        escrow.requestChanges(key);
        vm.assertTrue(escrow.jobOf(key).state == IEscrow.JobState.Funded);
    }

    function test_requestChanges_keeps_a_far_deadline() public {
        terms.deadline = uint64(block.timestamp + 90 days);
        key = _fund(terms);
        _submit();
        _requestChanges();
        vm.assertEq(uint256(escrow.jobOf(key).dueAt), terms.deadline);
    }

    function test_requestChanges_sets_no_deadline_where_there_was_none() public {
        terms.deadline = 0;
        key = _fund(terms);
        _submit();
        _requestChanges();
        vm.assertEq(uint256(escrow.jobOf(key).dueAt), 0);
    }

    /// A client must not take the delivery and then call the deadline missed because it asked for changes after it.
    function test_requestChanges_after_the_deadline_leaves_the_seller_time() public {
        _fund();
        vm.warp(terms.deadline - 1);
        _submit();
        vm.warp(terms.deadline + 2 days);
        _requestChanges();

        uint64 dueAt = uint64(block.timestamp + 7 days);
        vm.assertEq(uint256(escrow.jobOf(key).dueAt), dueAt);
        _expectTooEarly(dueAt + 24 hours);
        vm.prank(client);
        escrow.claimMissedDeadline(key);
    }

    function test_requestChanges_then_silence_of_the_seller_refunds() public {
        _fundAndSubmit();
        _requestChanges();
        vm.warp(escrow.jobOf(key).dueAt + 24 hours);
        vm.prank(client);
        escrow.claimMissedDeadline(key);
        _assertClosed(IEscrow.Outcome.Expired, 0, 0, AMOUNT);
    }

    function test_requestChanges_then_silence_of_the_client_pays_the_next_delivery() public {
        _fundAndSubmit();
        _requestChanges();
        _submit();
        vm.warp(escrow.jobOf(key).reviewEndsAt);
        vm.prank(stranger);
        escrow.release(key);
        _assertClosed(IEscrow.Outcome.Released, 245_000_001, 5_000_000, 0);
    }

    function test_requestChanges_reverts_the_third_time() public {
        _fundAndSubmit();
        _requestChanges();
        _submit();
        _requestChanges();
        _submit();
        vm.expectRevert(abi.encodeWithSelector(IEscrow.TooManyChangeRequests.selector, key, uint8(2)));
        vm.prank(client);
        escrow.requestChanges(key);
    }

    function test_requestChanges_reverts_once_the_window_has_passed() public {
        _fundAndSubmit();
        uint64 reviewEndsAt = escrow.jobOf(key).reviewEndsAt;
        vm.warp(reviewEndsAt);
        _expectTooLate(reviewEndsAt);
        vm.prank(client);
        escrow.requestChanges(key);
    }

    function test_requestChanges_passes_in_the_last_second() public {
        _fundAndSubmit();
        vm.warp(escrow.jobOf(key).reviewEndsAt - 1);
        _requestChanges();
        vm.assertTrue(escrow.jobOf(key).state == IEscrow.JobState.Funded);
    }

    function test_requestChanges_reverts_for_others() public {
        _fundAndSubmit();
        address[5] memory callers = [seller, agentWallet, arbiter, treasury, stranger];
        for (uint256 i = 0; i < callers.length; i++) {
            _expectNotAllowed(callers[i], IEscrow.Party.Client);
            escrow.requestChanges(key);
        }
    }

    function test_requestChanges_reverts_in_every_other_state() public {
        _assertWrongStates(client, abi.encodeCall(Escrow.requestChanges, (key)), SUBMITTED);
    }
}
