// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Escrow} from "../Escrow.sol";
import {EscrowTest} from "./EscrowTest.t.sol";
import {IEscrow} from "./IEscrow.sol";

contract RefundTest is EscrowTest {
    function test_refund_gives_everything_back_in_each_open_state() public {
        IEscrow.JobState[3] memory states =
            [IEscrow.JobState.Funded, IEscrow.JobState.Submitted, IEscrow.JobState.Disputed];
        for (uint256 i = 0; i < states.length; i++) {
            uint256 snapshot = vm.snapshotState();
            _bringTo(states[i]);
            _expectClosed(IEscrow.Outcome.Refunded, 0, 0, AMOUNT);
            vm.prank(seller);
            escrow.refund(key);
            _assertClosed(IEscrow.Outcome.Refunded, 0, 0, AMOUNT);
            vm.revertToState(snapshot);
        }
    }

    function test_refund_is_open_to_the_whole_sellers_side() public {
        _fund();
        address[3] memory callers = [seller, agentWallet, operator];
        for (uint256 i = 0; i < callers.length; i++) {
            uint256 snapshot = vm.snapshotState();
            vm.prank(callers[i]);
            escrow.refund(key);
            _assertClosed(IEscrow.Outcome.Refunded, 0, 0, AMOUNT);
            vm.revertToState(snapshot);
        }
    }

    function test_refund_stays_possible_after_the_review_window_and_the_dispute_period() public {
        _fundAndSubmit();
        uint256 snapshot = vm.snapshotState();
        vm.warp(block.timestamp + 8 days);
        vm.prank(seller);
        escrow.refund(key);
        _assertClosed(IEscrow.Outcome.Refunded, 0, 0, AMOUNT);
        vm.revertToState(snapshot);

        _dispute();
        vm.warp(block.timestamp + 31 days);
        vm.prank(seller);
        escrow.refund(key);
        _assertClosed(IEscrow.Outcome.Refunded, 0, 0, AMOUNT);
    }

    function test_refund_reverts_for_others() public {
        _fund();
        address[4] memory callers = [client, arbiter, treasury, stranger];
        for (uint256 i = 0; i < callers.length; i++) {
            _expectNotAllowed(callers[i], IEscrow.Party.Seller);
            escrow.refund(key);
        }
    }

    function test_refund_reverts_in_every_other_state() public {
        _assertWrongStates(seller, abi.encodeCall(Escrow.refund, (key)), FUNDED | SUBMITTED | DISPUTED);
    }
}

contract ClaimMissedDeadlineTest is EscrowTest {
    function test_claimMissedDeadline_refunds_after_deadline_and_grace() public {
        _fund();
        vm.warp(terms.deadline + 24 hours);
        _expectClosed(IEscrow.Outcome.Expired, 0, 0, AMOUNT);
        vm.prank(client);
        escrow.claimMissedDeadline(key);
        _assertClosed(IEscrow.Outcome.Expired, 0, 0, AMOUNT);
    }

    function test_claimMissedDeadline_is_relayed_by_the_operator() public {
        _fund();
        vm.warp(terms.deadline + 24 hours);
        vm.prank(operator);
        escrow.claimMissedDeadline(key);
        _assertClosed(IEscrow.Outcome.Expired, 0, 0, AMOUNT);
    }

    function test_claimMissedDeadline_reverts_within_the_grace() public {
        _fund();
        vm.warp(terms.deadline + 24 hours - 1);
        _expectTooEarly(terms.deadline + 24 hours);
        vm.prank(client);
        escrow.claimMissedDeadline(key);
    }

    function test_claimMissedDeadline_reverts_without_a_deadline() public {
        terms.deadline = 0;
        key = _fund(terms);
        vm.warp(block.timestamp + 3650 days);
        vm.expectRevert(abi.encodeWithSelector(IEscrow.NoDeadline.selector, key));
        vm.prank(client);
        escrow.claimMissedDeadline(key);
    }

    function test_claimMissedDeadline_counts_past_the_end_of_the_number() public {
        terms.deadline = type(uint64).max;
        key = _fund(terms);
        _expectTooEarly(uint256(type(uint64).max) + 24 hours);
        vm.prank(client);
        escrow.claimMissedDeadline(key);
    }

    function test_claimMissedDeadline_reverts_for_others() public {
        _fund();
        vm.warp(terms.deadline + 24 hours);
        address[5] memory callers = [seller, agentWallet, arbiter, treasury, stranger];
        for (uint256 i = 0; i < callers.length; i++) {
            _expectNotAllowed(callers[i], IEscrow.Party.Client);
            escrow.claimMissedDeadline(key);
        }
    }

    function test_claimMissedDeadline_reverts_in_every_other_state() public {
        _assertWrongStates(client, abi.encodeCall(Escrow.claimMissedDeadline, (key)), FUNDED);
    }
}
