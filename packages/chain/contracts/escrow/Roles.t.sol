// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {EscrowRoles} from "./EscrowRoles.sol";
import {EscrowTest} from "./EscrowTest.t.sol";
import {IEscrow} from "./IEscrow.sol";

contract RolesTest is EscrowTest {
    address private next = makeAddr("next");

    function test_operator_changes_in_two_steps() public {
        vm.expectEmit(address(escrow));
        emit EscrowRoles.OperatorProposed(operator, next);
        vm.prank(operator);
        escrow.proposeOperator(next);
        vm.assertEq(escrow.operator(), operator);
        vm.assertEq(escrow.pendingOperator(), next);

        vm.expectEmit(address(escrow));
        emit EscrowRoles.OperatorChanged(operator, next);
        vm.prank(next);
        escrow.acceptOperator();
        vm.assertEq(escrow.operator(), next);
        vm.assertEq(escrow.pendingOperator(), address(0));
    }

    function test_operator_can_be_replaced_by_the_arbiter() public {
        vm.startPrank(arbiter);
        escrow.proposeOperator(arbiter);
        escrow.acceptOperator();
        vm.assertEq(escrow.operator(), arbiter);
    }

    function test_arbiter_changes_in_two_steps() public {
        vm.expectEmit(address(escrow));
        emit EscrowRoles.ArbiterProposed(arbiter, next);
        vm.prank(arbiter);
        escrow.proposeArbiter(next);
        vm.assertEq(escrow.arbiter(), arbiter);
        vm.assertEq(escrow.pendingArbiter(), next);

        vm.expectEmit(address(escrow));
        emit EscrowRoles.ArbiterChanged(arbiter, next);
        vm.prank(next);
        escrow.acceptArbiter();
        vm.assertEq(escrow.arbiter(), next);
        vm.assertEq(escrow.pendingArbiter(), address(0));
    }

    function test_treasury_changes_in_two_steps() public {
        vm.expectEmit(address(escrow));
        emit EscrowRoles.TreasuryProposed(treasury, next);
        vm.prank(treasury);
        escrow.proposeTreasury(next);
        vm.assertEq(escrow.treasury(), treasury);
        vm.assertEq(escrow.pendingTreasury(), next);

        vm.expectEmit(address(escrow));
        emit EscrowRoles.TreasuryChanged(treasury, next);
        vm.prank(next);
        escrow.acceptTreasury();
        vm.assertEq(escrow.treasury(), next);
        vm.assertEq(escrow.pendingTreasury(), address(0));
    }

    function test_propose_reverts_for_everyone_else() public {
        address[4] memory strangers = [client, seller, stranger, next];
        for (uint256 i = 0; i < strangers.length; i++) {
            _expectWrongCaller(strangers[i], operator);
            escrow.proposeOperator(next);
            _expectWrongCaller(strangers[i], arbiter);
            escrow.proposeArbiter(next);
            _expectWrongCaller(strangers[i], treasury);
            escrow.proposeTreasury(next);
        }
        _expectWrongCaller(operator, arbiter);
        escrow.proposeArbiter(next);
        _expectWrongCaller(arbiter, treasury);
        escrow.proposeTreasury(next);
        _expectWrongCaller(treasury, operator);
        escrow.proposeOperator(next);
    }

    function test_accept_reverts_for_anyone_but_the_proposed() public {
        vm.prank(operator);
        escrow.proposeOperator(next);
        vm.prank(arbiter);
        escrow.proposeArbiter(next);
        vm.prank(treasury);
        escrow.proposeTreasury(next);

        _expectWrongCaller(stranger, next);
        escrow.acceptOperator();
        _expectWrongCaller(stranger, next);
        escrow.acceptArbiter();
        _expectWrongCaller(stranger, next);
        escrow.acceptTreasury();
    }

    function test_accept_reverts_when_nothing_is_proposed_or_the_proposal_was_withdrawn() public {
        _expectWrongCaller(next, address(0));
        escrow.acceptArbiter();
        vm.startPrank(arbiter);
        escrow.proposeArbiter(next);
        escrow.proposeArbiter(address(0));
        vm.stopPrank();
        _expectWrongCaller(next, address(0));
        escrow.acceptArbiter();
    }

    function test_a_former_operator_may_do_nothing() public {
        _fund();
        vm.prank(operator);
        escrow.proposeOperator(next);
        vm.prank(next);
        escrow.acceptOperator();
        _expectNotAllowed(operator, IEscrow.Party.Seller);
        escrow.submit(key, DELIVERY);
    }

    function _expectWrongCaller(address caller, address expected) private {
        vm.expectRevert(abi.encodeWithSelector(IEscrow.WrongCaller.selector, caller, expected));
        vm.prank(caller);
    }
}
