// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Test} from "../testing/Test.sol";
import {AgentRegistry} from "./AgentRegistry.sol";
import {ReputationRegistry} from "./ReputationRegistry.sol";

/// @dev Alice owns the agent; Carol and Dave are its clients.
abstract contract ReputationTest is Test {
    AgentRegistry internal agents;
    ReputationRegistry internal reputation;
    address internal alice;
    address internal carol;
    address internal dave;
    uint256 internal agentId;

    function setUp() public {
        agents = new AgentRegistry();
        reputation = new ReputationRegistry(address(agents));
        alice = makeAddr("alice");
        carol = makeAddr("carol");
        dave = makeAddr("dave");
        vm.prank(alice);
        agentId = agents.register();
    }

    function _give(address client, int128 value, uint8 decimals, string memory tag1, string memory tag2) internal {
        vm.prank(client);
        reputation.giveFeedback(agentId, value, decimals, tag1, tag2, "", "", 0);
    }

    function _list(address one) internal pure returns (address[] memory list) {
        list = new address[](1);
        list[0] = one;
    }

    function _list(address one, address two) internal pure returns (address[] memory list) {
        list = new address[](2);
        list[0] = one;
        list[1] = two;
    }
}
