// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {EscrowTest} from "./EscrowTest.t.sol";
import {IEscrow} from "./IEscrow.sol";

/// @notice Each side can bring each state to an end alone: no operator, no arbiter, no answer from the other side.
contract EndingsTest is EscrowTest {
    function setUp() public override {
        super.setUp();
        terms.deadline = 0;
        key = escrow.jobKeyOf(terms);
    }

    function test_a_client_alone_gets_out_of_a_job_that_nobody_works_on() public {
        _fund();
        _dispute();
        _endUndecided();
    }

    function test_a_client_alone_gets_out_of_a_bad_delivery() public {
        _fundAndSubmit();
        _dispute();
        _endUndecided();
    }

    function test_a_client_alone_gets_out_after_its_changes_were_ignored() public {
        _fundAndSubmit();
        _requestChanges();
        _dispute();
        _endUndecided();
    }

    function test_a_seller_alone_gets_paid_for_its_work() public {
        _fundAndSubmit();
        vm.warp(escrow.jobOf(key).reviewEndsAt);
        vm.prank(seller);
        escrow.release(key);
        _assertClosed(IEscrow.Outcome.Released, 245_000_001, 5_000_000, 0);
    }

    function test_a_seller_alone_gets_paid_after_two_rounds_of_changes() public {
        _fundAndSubmit();
        _requestChanges();
        _submit();
        _requestChanges();
        _submit();
        vm.warp(escrow.jobOf(key).reviewEndsAt);
        vm.prank(agentWallet);
        escrow.release(key);
        _assertClosed(IEscrow.Outcome.Released, 245_000_001, 5_000_000, 0);
    }

    function test_a_dispute_that_the_seller_opened_ends_too() public {
        _fund();
        vm.prank(seller);
        escrow.openDispute(key, IEscrow.Party.Seller);
        _endUndecided();
    }

    function test_all_of_it_works_with_the_operator_switched_off_by_both() public {
        _fund();
        vm.prank(client);
        escrow.disableOperator(key);
        vm.prank(seller);
        escrow.disableOperator(key);
        _submit();
        _requestChanges();
        _submit();
        _dispute();
        _endUndecided();
    }

    function _endUndecided() private {
        vm.warp(escrow.jobOf(key).undecidedAt);
        vm.prank(stranger);
        escrow.refundUndecided(key);
        _assertClosed(IEscrow.Outcome.Expired, 0, 0, AMOUNT);
    }
}
