// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Escrow} from "../Escrow.sol";
import {EscrowTest} from "./EscrowTest.t.sol";
import {IEscrow} from "./IEscrow.sol";

contract OpenDisputeTest is EscrowTest {
    function test_openDispute_stops_the_clocks() public {
        _fundAndSubmit();
        uint64 undecidedAt = uint64(block.timestamp + 30 days);
        vm.expectEmit(address(escrow));
        emit IEscrow.DisputeOpened(key, IEscrow.Party.Client, undecidedAt);
        _dispute();

        IEscrow.Job memory job = escrow.jobOf(key);
        vm.assertTrue(job.state == IEscrow.JobState.Disputed);
        vm.assertEq(uint256(job.undecidedAt), undecidedAt);
        vm.warp(block.timestamp + 8 days);
        vm.expectRevert(
            abi.encodeWithSelector(IEscrow.WrongState.selector, key, IEscrow.JobState.Disputed, SUBMITTED)
        );
        escrow.release(key);
    }

    function test_openDispute_is_open_to_both_sides_before_and_after_delivery() public {
        address[5] memory callers = [client, operator, seller, agentWallet, operator];
        for (uint256 i = 0; i < callers.length; i++) {
            IEscrow.Party party = i < 2 ? IEscrow.Party.Client : IEscrow.Party.Seller;
            for (uint256 j = 0; j < 2; j++) {
                uint256 snapshot = vm.snapshotState();
                _bringTo(j == 0 ? IEscrow.JobState.Funded : IEscrow.JobState.Submitted);
                vm.expectEmit(address(escrow));
                emit IEscrow.DisputeOpened(key, party, uint64(block.timestamp + 30 days));
                vm.prank(callers[i]);
                escrow.openDispute(key, party);
                vm.revertToState(snapshot);
            }
        }
    }

    function test_openDispute_reverts_for_the_other_side_and_for_nobody() public {
        _fund();
        _expectNotAllowed(client, IEscrow.Party.Seller);
        escrow.openDispute(key, IEscrow.Party.Seller);
        _expectNotAllowed(seller, IEscrow.Party.Client);
        escrow.openDispute(key, IEscrow.Party.Client);
        _expectNotAllowed(operator, IEscrow.Party.None);
        escrow.openDispute(key, IEscrow.Party.None);
        _expectNotAllowed(stranger, IEscrow.Party.Client);
        escrow.openDispute(key, IEscrow.Party.Client);
        _expectNotAllowed(arbiter, IEscrow.Party.Seller);
        escrow.openDispute(key, IEscrow.Party.Seller);
    }

    function test_openDispute_reverts_once_the_window_has_passed() public {
        _fundAndSubmit();
        uint64 reviewEndsAt = escrow.jobOf(key).reviewEndsAt;
        vm.warp(reviewEndsAt);
        _expectTooLate(reviewEndsAt);
        vm.prank(client);
        escrow.openDispute(key, IEscrow.Party.Client);
    }

    function test_openDispute_reverts_in_every_other_state() public {
        _assertWrongStates(
            client, abi.encodeCall(Escrow.openDispute, (key, IEscrow.Party.Client)), FUNDED | SUBMITTED
        );
    }
}

contract RefundUndecidedTest is EscrowTest {
    function test_refundUndecided_by_anyone_after_thirty_days() public {
        _fundAndDispute();
        vm.warp(escrow.jobOf(key).undecidedAt);
        _expectClosed(IEscrow.Outcome.Expired, 0, 0, AMOUNT);
        vm.prank(stranger);
        escrow.refundUndecided(key);
        _assertClosed(IEscrow.Outcome.Expired, 0, 0, AMOUNT);
    }

    function test_refundUndecided_reverts_before() public {
        _fundAndDispute();
        uint64 undecidedAt = escrow.jobOf(key).undecidedAt;
        vm.warp(undecidedAt - 1);
        _expectTooEarly(undecidedAt);
        escrow.refundUndecided(key);
    }

    function test_refundUndecided_reverts_in_every_other_state() public {
        _assertWrongStates(stranger, abi.encodeCall(Escrow.refundUndecided, (key)), DISPUTED);
    }

    /// At every moment of a dispute, either a ruling or the refund by anyone is possible: never both, never neither.
    function testFuzz_refundUndecided_and_ruling_exclude_each_other(uint256 delay) public {
        _fundAndDispute();
        vm.warp(block.timestamp + bound(delay, 0, 60 days));

        uint256 snapshot = vm.snapshotState();
        (bool refunded,) = address(escrow).call(abi.encodeCall(Escrow.refundUndecided, (key)));
        vm.revertToState(snapshot);
        vm.prank(arbiter);
        (bool ruled,) = address(escrow).call(abi.encodeCall(Escrow.rule, (key, 5_000)));

        vm.assertTrue(refunded != ruled, "both or neither");
    }
}
