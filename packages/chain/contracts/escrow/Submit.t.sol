// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Escrow} from "../Escrow.sol";
import {EscrowTest} from "./EscrowTest.t.sol";
import {IEscrow} from "./IEscrow.sol";

contract SubmitTest is EscrowTest {
    function test_submit_starts_the_review_window() public {
        _fund();
        uint64 reviewEndsAt = uint64(block.timestamp + 7 days);
        vm.expectEmit(address(escrow));
        emit IEscrow.WorkSubmitted(key, DELIVERY, reviewEndsAt);
        _submit();

        IEscrow.Job memory job = escrow.jobOf(key);
        vm.assertTrue(job.state == IEscrow.JobState.Submitted);
        vm.assertEq(uint256(job.reviewEndsAt), reviewEndsAt);
        vm.assertEq(escrow.totalHeld(), AMOUNT);
    }

    function test_submit_is_open_to_the_whole_sellers_side() public {
        _fund();
        address[3] memory callers = [seller, agentWallet, operator];
        for (uint256 i = 0; i < callers.length; i++) {
            uint256 snapshot = vm.snapshotState();
            vm.prank(callers[i]);
            escrow.submit(key, DELIVERY);
            vm.assertTrue(escrow.jobOf(key).state == IEscrow.JobState.Submitted);
            vm.revertToState(snapshot);
        }
    }

    function test_submit_comes_late_as_long_as_the_client_has_not_claimed() public {
        _fund();
        vm.warp(terms.deadline + 365 days);
        _submit();
        vm.assertEq(uint256(escrow.jobOf(key).reviewEndsAt), block.timestamp + 7 days);
    }

    function test_submit_reverts_for_others() public {
        _fund();
        address[4] memory callers = [client, arbiter, treasury, stranger];
        for (uint256 i = 0; i < callers.length; i++) {
            _expectNotAllowed(callers[i], IEscrow.Party.Seller);
            escrow.submit(key, DELIVERY);
        }
    }

    function test_submit_reverts_without_a_delivery() public {
        _fund();
        vm.expectRevert(abi.encodeWithSelector(IEscrow.ZeroDeliveryHash.selector, key));
        vm.prank(seller);
        escrow.submit(key, bytes32(0));
    }

    function test_submit_reverts_in_every_other_state() public {
        _assertWrongStates(seller, abi.encodeCall(Escrow.submit, (key, DELIVERY)), FUNDED);
    }
}
