// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Escrow} from "../Escrow.sol";
import {EscrowTest} from "./EscrowTest.t.sol";
import {IEscrow} from "./IEscrow.sol";

contract SettlementTest is EscrowTest {
    function test_proposeSettlement_makes_the_standing_offer() public {
        _fundAndDispute();
        vm.expectEmit(address(escrow));
        emit IEscrow.SettlementProposed(key, IEscrow.Party.Client, 4_000);
        _propose(client, IEscrow.Party.Client, 4_000);

        IEscrow.Job memory job = escrow.jobOf(key);
        vm.assertTrue(job.offeredBy == IEscrow.Party.Client);
        vm.assertEq(uint256(job.offeredBps), 4_000);
        vm.assertTrue(job.state == IEscrow.JobState.Disputed);
    }

    function test_proposeSettlement_replaces_the_offer_before() public {
        _fundAndDispute();
        _propose(client, IEscrow.Party.Client, 4_000);
        _propose(seller, IEscrow.Party.Seller, 9_000);
        vm.assertTrue(escrow.jobOf(key).offeredBy == IEscrow.Party.Seller);

        _expectNoSuchOffer(IEscrow.Party.Seller, 9_000, IEscrow.Party.Seller, 4_000);
        _accept(seller, IEscrow.Party.Seller, 4_000);
    }

    function test_proposeSettlement_reverts_above_the_whole() public {
        _fundAndDispute();
        vm.expectRevert(abi.encodeWithSelector(IEscrow.InvalidBps.selector, uint16(10_001), uint16(10_000)));
        _propose(client, IEscrow.Party.Client, 10_001);
    }

    function test_proposeSettlement_reverts_for_others() public {
        _fundAndDispute();
        _expectNotAllowed(stranger, IEscrow.Party.Client);
        escrow.proposeSettlement(key, IEscrow.Party.Client, 1);
        _expectNotAllowed(client, IEscrow.Party.Seller);
        escrow.proposeSettlement(key, IEscrow.Party.Seller, 1);
        _expectNotAllowed(operator, IEscrow.Party.None);
        escrow.proposeSettlement(key, IEscrow.Party.None, 1);
    }

    function test_proposeSettlement_reverts_in_every_other_state() public {
        _assertWrongStates(
            client, abi.encodeCall(Escrow.proposeSettlement, (key, IEscrow.Party.Client, 1)), DISPUTED
        );
    }

    function test_acceptSettlement_divides_as_offered() public {
        _fundAndDispute();
        _propose(client, IEscrow.Party.Client, 4_000);
        _expectClosed(IEscrow.Outcome.Settled, 98_000_000, 2_000_000, 150_000_001);
        _accept(seller, IEscrow.Party.Seller, 4_000);
        _assertClosed(IEscrow.Outcome.Settled, 98_000_000, 2_000_000, 150_000_001);
    }

    function test_acceptSettlement_works_the_other_way_round_and_through_the_operator() public {
        _fundAndDispute();
        _propose(operator, IEscrow.Party.Seller, 10_000);
        _accept(operator, IEscrow.Party.Client, 10_000);
        _assertClosed(IEscrow.Outcome.Settled, 245_000_001, 5_000_000, 0);
    }

    function test_acceptSettlement_of_nothing_for_the_seller_refunds() public {
        _fundAndDispute();
        _propose(seller, IEscrow.Party.Seller, 0);
        _accept(client, IEscrow.Party.Client, 0);
        _assertClosed(IEscrow.Outcome.Settled, 0, 0, AMOUNT);
    }

    function test_acceptSettlement_reverts_without_an_offer() public {
        _fundAndDispute();
        _expectNoSuchOffer(IEscrow.Party.None, 0, IEscrow.Party.Client, 0);
        _accept(client, IEscrow.Party.Client, 0);
    }

    function test_acceptSettlement_reverts_for_the_side_that_offered() public {
        _fundAndDispute();
        _propose(seller, IEscrow.Party.Seller, 9_000);
        _expectNoSuchOffer(IEscrow.Party.Seller, 9_000, IEscrow.Party.Seller, 9_000);
        _accept(agentWallet, IEscrow.Party.Seller, 9_000);
    }

    function test_acceptSettlement_reverts_for_another_share_than_offered() public {
        _fundAndDispute();
        _propose(seller, IEscrow.Party.Seller, 9_000);
        _expectNoSuchOffer(IEscrow.Party.Seller, 9_000, IEscrow.Party.Client, 5_000);
        _accept(client, IEscrow.Party.Client, 5_000);
    }

    function test_acceptSettlement_reverts_for_others() public {
        _fundAndDispute();
        _propose(seller, IEscrow.Party.Seller, 9_000);
        _expectNotAllowed(seller, IEscrow.Party.Client);
        escrow.acceptSettlement(key, IEscrow.Party.Client, 9_000);
        _expectNotAllowed(stranger, IEscrow.Party.Client);
        escrow.acceptSettlement(key, IEscrow.Party.Client, 9_000);
    }

    function test_acceptSettlement_reverts_in_every_other_state() public {
        _assertWrongStates(
            client, abi.encodeCall(Escrow.acceptSettlement, (key, IEscrow.Party.Client, 1)), DISPUTED
        );
    }

    function test_settlement_is_over_when_the_dispute_period_is() public {
        _fundAndDispute();
        _propose(client, IEscrow.Party.Client, 4_000);
        uint64 undecidedAt = escrow.jobOf(key).undecidedAt;
        vm.warp(undecidedAt);
        _expectTooLate(undecidedAt);
        _accept(seller, IEscrow.Party.Seller, 4_000);
        _expectTooLate(undecidedAt);
        _propose(seller, IEscrow.Party.Seller, 4_000);
    }

    function test_settlement_with_oneself_works_when_a_client_hired_its_own_agent() public {
        terms.seller = client;
        key = _fund(terms);
        _dispute();
        _propose(client, IEscrow.Party.Client, 5_000);
        _accept(client, IEscrow.Party.Seller, 5_000);
        vm.assertTrue(escrow.jobOf(key).outcome == IEscrow.Outcome.Settled);
    }

    function _propose(address caller, IEscrow.Party party, uint16 sellerBps) private {
        vm.prank(caller);
        escrow.proposeSettlement(key, party, sellerBps);
    }

    function _accept(address caller, IEscrow.Party party, uint16 sellerBps) private {
        vm.prank(caller);
        escrow.acceptSettlement(key, party, sellerBps);
    }

    function _expectNoSuchOffer(IEscrow.Party standingBy, uint16 standingBps, IEscrow.Party by, uint16 bps) private {
        vm.expectRevert(
            abi.encodeWithSelector(IEscrow.NoSuchOffer.selector, key, standingBy, standingBps, by, bps)
        );
    }
}

contract RuleTest is EscrowTest {
    function test_rule_divides_as_the_arbiter_says() public {
        _fundAndDispute();
        _expectClosed(IEscrow.Outcome.Ruled, 122_500_000, 2_500_000, 125_000_001);
        vm.prank(arbiter);
        escrow.rule(key, 5_000);
        _assertClosed(IEscrow.Outcome.Ruled, 122_500_000, 2_500_000, 125_000_001);
    }

    function test_rule_for_the_client_takes_no_fee() public {
        _fundAndDispute();
        vm.prank(arbiter);
        escrow.rule(key, 0);
        _assertClosed(IEscrow.Outcome.Ruled, 0, 0, AMOUNT);
    }

    function test_rule_for_the_seller_pays_like_a_release() public {
        _fundAndDispute();
        vm.prank(arbiter);
        escrow.rule(key, 10_000);
        _assertClosed(IEscrow.Outcome.Ruled, 245_000_001, 5_000_000, 0);
    }

    function test_rule_passes_in_the_last_second_and_not_after() public {
        _fundAndDispute();
        uint64 undecidedAt = escrow.jobOf(key).undecidedAt;
        vm.warp(undecidedAt);
        _expectTooLate(undecidedAt);
        vm.prank(arbiter);
        escrow.rule(key, 5_000);

        vm.warp(undecidedAt - 1);
        vm.prank(arbiter);
        escrow.rule(key, 5_000);
        vm.assertTrue(escrow.jobOf(key).outcome == IEscrow.Outcome.Ruled);
    }

    function test_rule_reverts_above_the_whole() public {
        _fundAndDispute();
        vm.expectRevert(abi.encodeWithSelector(IEscrow.InvalidBps.selector, uint16(10_001), uint16(10_000)));
        vm.prank(arbiter);
        escrow.rule(key, 10_001);
    }

    function test_rule_reverts_for_anyone_but_the_arbiter() public {
        _fundAndDispute();
        address[6] memory callers = [client, seller, agentWallet, operator, treasury, stranger];
        for (uint256 i = 0; i < callers.length; i++) {
            vm.expectRevert(abi.encodeWithSelector(IEscrow.WrongCaller.selector, callers[i], arbiter));
            vm.prank(callers[i]);
            escrow.rule(key, 5_000);
        }
    }

    function test_rule_reverts_in_every_other_state() public {
        _assertWrongStates(arbiter, abi.encodeCall(Escrow.rule, (key, 5_000)), DISPUTED);
    }
}
