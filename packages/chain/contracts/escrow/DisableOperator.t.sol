// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Escrow} from "../Escrow.sol";
import {EscrowTest} from "./EscrowTest.t.sol";
import {IEscrow} from "./IEscrow.sol";

contract DisableOperatorTest is EscrowTest {
    function test_disableOperator_by_the_client_shuts_the_operator_out_of_the_clients_side() public {
        _fund();
        vm.expectEmit(address(escrow));
        emit IEscrow.OperatorDisabled(key, IEscrow.Party.Client);
        vm.prank(client);
        escrow.disableOperator(key);

        _expectNotAllowed(operator, IEscrow.Party.Client);
        escrow.openDispute(key, IEscrow.Party.Client);
        vm.prank(operator);
        escrow.submit(key, DELIVERY);
        _expectNotAllowed(operator, IEscrow.Party.Client);
        escrow.release(key);
        _expectNotAllowed(operator, IEscrow.Party.Client);
        escrow.requestChanges(key);
        vm.prank(client);
        escrow.release(key);
        vm.assertTrue(escrow.jobOf(key).state == IEscrow.JobState.Closed);
    }

    function test_disableOperator_by_the_seller_shuts_the_operator_out_of_the_sellers_side() public {
        _fund();
        vm.expectEmit(address(escrow));
        emit IEscrow.OperatorDisabled(key, IEscrow.Party.Seller);
        vm.prank(seller);
        escrow.disableOperator(key);

        _expectNotAllowed(operator, IEscrow.Party.Seller);
        escrow.submit(key, DELIVERY);
        _expectNotAllowed(operator, IEscrow.Party.Seller);
        escrow.refund(key);
        vm.prank(operator);
        escrow.openDispute(key, IEscrow.Party.Client);
        _expectNotAllowed(operator, IEscrow.Party.Seller);
        escrow.proposeSettlement(key, IEscrow.Party.Seller, 1);
        vm.prank(agentWallet);
        escrow.proposeSettlement(key, IEscrow.Party.Seller, 1);
    }

    function test_disableOperator_by_the_agent_wallet_counts_for_the_seller() public {
        _fund();
        vm.prank(agentWallet);
        escrow.disableOperator(key);
        vm.assertTrue(escrow.jobOf(key).sellerActsAlone);
        vm.assertFalse(escrow.jobOf(key).clientActsAlone);
    }

    function test_disableOperator_by_a_client_that_is_its_own_seller_counts_for_both() public {
        terms.seller = client;
        key = _fund(terms);
        vm.prank(client);
        escrow.disableOperator(key);
        vm.assertTrue(escrow.jobOf(key).sellerActsAlone);
        vm.assertTrue(escrow.jobOf(key).clientActsAlone);
    }

    function test_disableOperator_leaves_other_jobs_alone() public {
        _fund();
        vm.prank(client);
        escrow.disableOperator(key);
        terms.jobRef = "job-2";
        key = _fund(terms);
        vm.prank(operator);
        escrow.openDispute(key, IEscrow.Party.Client);
    }

    function test_disableOperator_holds_for_the_next_operator_too() public {
        _fund();
        vm.prank(client);
        escrow.disableOperator(key);
        vm.prank(operator);
        escrow.proposeOperator(stranger);
        vm.prank(stranger);
        escrow.acceptOperator();
        _expectNotAllowed(stranger, IEscrow.Party.Client);
        escrow.openDispute(key, IEscrow.Party.Client);
    }

    function test_disableOperator_does_not_stop_what_anyone_may_do() public {
        _fundAndSubmit();
        vm.prank(client);
        escrow.disableOperator(key);
        vm.warp(escrow.jobOf(key).reviewEndsAt);
        vm.prank(operator);
        escrow.release(key);
        vm.assertTrue(escrow.jobOf(key).outcome == IEscrow.Outcome.Released);
    }

    function test_disableOperator_reverts_for_others() public {
        _fund();
        address[4] memory callers = [operator, arbiter, treasury, stranger];
        for (uint256 i = 0; i < callers.length; i++) {
            _expectNotAllowed(callers[i], IEscrow.Party.None);
            escrow.disableOperator(key);
        }
    }

    function test_disableOperator_reverts_when_no_job_is_open() public {
        _assertWrongStates(client, abi.encodeCall(Escrow.disableOperator, (key)), FUNDED | SUBMITTED | DISPUTED);
    }
}
