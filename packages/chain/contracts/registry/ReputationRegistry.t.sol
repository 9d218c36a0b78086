// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IERC721Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {ReputationRegistry} from "./ReputationRegistry.sol";
import {ReputationTest} from "./ReputationTest.t.sol";

contract ReputationRegistryTest is ReputationTest {
    function test_constructor() public {
        vm.assertEq(reputation.getIdentityRegistry(), address(agents));
        vm.assertEq(reputation.getVersion(), "2.0.0");
        vm.expectRevert(bytes("bad identity"));
        new ReputationRegistry(address(0));
    }

    function test_giveFeedback_is_stored_and_counted_from_one() public {
        vm.assertEq(reputation.getLastIndex(agentId, carol), 0);
        _give(carol, 80, 0, "starred", "speed");
        _give(carol, -125, 2, "uptime", "");
        vm.assertEq(reputation.getLastIndex(agentId, carol), 2);

        (int128 value, uint8 decimals, string memory tag1, string memory tag2, bool revoked) =
            reputation.readFeedback(agentId, carol, 1);
        vm.assertEq(value, 80);
        vm.assertEq(decimals, 0);
        vm.assertEq(tag1, "starred");
        vm.assertEq(tag2, "speed");
        vm.assertFalse(revoked);
        (value, decimals,,,) = reputation.readFeedback(agentId, carol, 2);
        vm.assertEq(value, -125);
        vm.assertEq(decimals, 2);
    }

    function test_giveFeedback_lists_each_client_once() public {
        _give(carol, 80, 0, "", "");
        _give(dave, 60, 0, "", "");
        _give(carol, 90, 0, "", "");
        address[] memory clients = reputation.getClients(agentId);
        vm.assertEq(clients.length, 2);
        vm.assertEq(clients[0], carol);
        vm.assertEq(clients[1], dave);
    }

    function test_giveFeedback_counts_each_agent_apart() public {
        vm.prank(alice);
        uint256 other = agents.register();
        _give(carol, 80, 0, "", "");
        vm.assertEq(reputation.getLastIndex(other, carol), 0);
        vm.assertEq(reputation.getClients(other).length, 0);
    }

    function test_giveFeedback_emits() public {
        vm.expectEmit(address(reputation));
        emit ReputationRegistry.NewFeedback(
            agentId, carol, 1, 80, 0, "starred", "starred", "speed", "https://a.example", "ipfs://f", bytes32("hash")
        );
        vm.prank(carol);
        reputation.giveFeedback(
            agentId, 80, 0, "starred", "speed", "https://a.example", "ipfs://f", bytes32("hash")
        );
    }

    function test_giveFeedback_takes_the_widest_values() public {
        _give(carol, 1e38, 18, "", "");
        _give(carol, -1e38, 18, "", "");
        vm.assertEq(reputation.getLastIndex(agentId, carol), 2);
    }

    function test_giveFeedback_reverts_on_too_many_decimals() public {
        vm.expectRevert(bytes("too many decimals"));
        _give(carol, 1, 19, "", "");
    }

    function test_giveFeedback_reverts_above_the_range() public {
        vm.expectRevert(bytes("value too large"));
        _give(carol, 1e38 + 1, 0, "", "");
    }

    function test_giveFeedback_reverts_below_the_range() public {
        vm.expectRevert(bytes("value too large"));
        _give(carol, -1e38 - 1, 0, "", "");
    }

    function test_giveFeedback_reverts_for_the_owner() public {
        vm.expectRevert(bytes("Self-feedback not allowed"));
        _give(alice, 100, 0, "", "");
    }

    function test_giveFeedback_reverts_for_the_approved() public {
        vm.prank(alice);
        agents.approve(carol, agentId);
        vm.expectRevert(bytes("Self-feedback not allowed"));
        _give(carol, 100, 0, "", "");
    }

    function test_giveFeedback_reverts_for_an_operator() public {
        vm.prank(alice);
        agents.setApprovalForAll(carol, true);
        vm.expectRevert(bytes("Self-feedback not allowed"));
        _give(carol, 100, 0, "", "");
    }

    function test_giveFeedback_reverts_for_an_unknown_agent() public {
        vm.expectRevert(abi.encodeWithSelector(IERC721Errors.ERC721NonexistentToken.selector, 42));
        reputation.giveFeedback(42, 1, 0, "", "", "", "", 0);
    }

    function test_revokeFeedback() public {
        _give(carol, 80, 0, "", "");
        vm.expectEmit(address(reputation));
        emit ReputationRegistry.FeedbackRevoked(agentId, carol, 1);
        vm.prank(carol);
        reputation.revokeFeedback(agentId, 1);
        (,,,, bool revoked) = reputation.readFeedback(agentId, carol, 1);
        vm.assertTrue(revoked);
    }

    function test_revokeFeedback_reverts_the_second_time() public {
        _give(carol, 80, 0, "", "");
        vm.startPrank(carol);
        reputation.revokeFeedback(agentId, 1);
        vm.expectRevert(bytes("Already revoked"));
        reputation.revokeFeedback(agentId, 1);
        vm.stopPrank();
    }

    function test_revokeFeedback_reverts_for_index_zero() public {
        vm.expectRevert(bytes("index must be > 0"));
        reputation.revokeFeedback(agentId, 0);
    }

    function test_revokeFeedback_reaches_only_the_callers_own() public {
        _give(carol, 80, 0, "", "");
        vm.expectRevert(bytes("index out of bounds"));
        vm.prank(dave);
        reputation.revokeFeedback(agentId, 1);
    }

    function test_readFeedback_reverts_outside_of_the_range() public {
        _give(carol, 80, 0, "", "");
        vm.expectRevert(bytes("index must be > 0"));
        reputation.readFeedback(agentId, carol, 0);
        vm.expectRevert(bytes("index out of bounds"));
        reputation.readFeedback(agentId, carol, 2);
    }

    function test_appendResponse_emits_for_anyone() public {
        _give(carol, 80, 0, "", "");
        vm.expectEmit(address(reputation));
        emit ReputationRegistry.ResponseAppended(agentId, carol, 1, dave, "ipfs://r", bytes32("hash"));
        vm.prank(dave);
        reputation.appendResponse(agentId, carol, 1, "ipfs://r", bytes32("hash"));
    }

    function test_appendResponse_reverts_on_an_empty_uri() public {
        _give(carol, 80, 0, "", "");
        vm.expectRevert(bytes("Empty URI"));
        reputation.appendResponse(agentId, carol, 1, "", 0);
    }

    function test_appendResponse_reverts_outside_of_the_range() public {
        vm.expectRevert(bytes("index must be > 0"));
        reputation.appendResponse(agentId, carol, 0, "ipfs://r", 0);
        vm.expectRevert(bytes("index out of bounds"));
        reputation.appendResponse(agentId, carol, 1, "ipfs://r", 0);
    }

    function test_getResponseCount_by_feedback_client_and_responder() public {
        _give(carol, 80, 0, "", "");
        _give(carol, 90, 0, "", "");
        _give(dave, 70, 0, "", "");
        _respond(alice, carol, 1);
        _respond(alice, carol, 1);
        _respond(dave, carol, 1);
        _respond(alice, carol, 2);
        _respond(alice, dave, 1);

        address[] memory anyone = new address[](0);
        vm.assertEq(reputation.getResponseCount(agentId, carol, 1, anyone), 3);
        vm.assertEq(reputation.getResponseCount(agentId, carol, 1, _list(alice)), 2);
        vm.assertEq(reputation.getResponseCount(agentId, carol, 1, _list(alice, dave)), 3);
        vm.assertEq(reputation.getResponseCount(agentId, carol, 0, anyone), 4);
        vm.assertEq(reputation.getResponseCount(agentId, carol, 0, _list(dave)), 1);
        vm.assertEq(reputation.getResponseCount(agentId, address(0), 0, anyone), 5);
        vm.assertEq(reputation.getResponseCount(agentId, address(0), 0, _list(alice)), 4);
        vm.assertEq(reputation.getResponseCount(agentId, carol, 9, anyone), 0);
    }

    function _respond(address responder, address client, uint64 index) private {
        vm.prank(responder);
        reputation.appendResponse(agentId, client, index, "ipfs://r", 0);
    }
}
