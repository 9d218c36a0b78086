// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {ReputationTest} from "./ReputationTest.t.sol";

contract ReputationSummaryTest is ReputationTest {
    function test_getSummary_reverts_without_clients() public {
        vm.expectRevert(bytes("clientAddresses required"));
        reputation.getSummary(agentId, new address[](0), "", "");
    }

    function test_getSummary_of_nothing_is_zero() public view {
        _assertSummary(_list(carol), "", "", 0, 0, 0);
    }

    function test_getSummary_is_the_truncated_mean() public {
        _give(carol, 100, 0, "starred", "");
        _give(dave, 80, 0, "starred", "");
        _give(dave, 81, 0, "starred", "");
        _assertSummary(_list(carol, dave), "", "", 3, 87, 0);
    }

    function test_getSummary_truncates_toward_zero_below_zero_too() public {
        _give(carol, -1, 0, "", "");
        _give(carol, -2, 0, "", "");
        _assertSummary(_list(carol), "", "", 2, -1, 0);
    }

    function test_getSummary_counts_only_the_listed_clients() public {
        _give(carol, 100, 0, "", "");
        _give(dave, 0, 0, "", "");
        _assertSummary(_list(carol), "", "", 1, 100, 0);
    }

    function test_getSummary_filters_by_each_tag() public {
        _give(carol, 100, 0, "starred", "speed");
        _give(carol, 60, 0, "starred", "price");
        _give(carol, 9977, 2, "uptime", "speed");
        _assertSummary(_list(carol), "starred", "", 2, 80, 0);
        _assertSummary(_list(carol), "uptime", "", 1, 9977, 2);
        _assertSummary(_list(carol), "", "price", 1, 60, 0);
        _assertSummary(_list(carol), "starred", "speed", 1, 100, 0);
        _assertSummary(_list(carol), "unknown", "", 0, 0, 0);
    }

    function test_getSummary_leaves_out_what_was_revoked() public {
        _give(carol, 100, 0, "", "");
        _give(carol, 0, 0, "", "");
        vm.prank(carol);
        reputation.revokeFeedback(agentId, 2);
        _assertSummary(_list(carol), "", "", 1, 100, 0);
    }

    function test_getSummary_answers_in_the_most_frequent_decimals() public {
        _give(carol, 5, 0, "", "");
        _give(carol, 450, 2, "", "");
        _give(carol, 425, 2, "", "");
        // (5 + 4.50 + 4.25) / 3 = 4.5833...
        _assertSummary(_list(carol), "", "", 3, 458, 2);
    }

    function test_getSummary_takes_the_fewer_decimals_on_a_tie() public {
        _give(carol, 450, 2, "", "");
        _give(carol, 5, 0, "", "");
        _assertSummary(_list(carol), "", "", 2, 4, 0);
    }

    function test_getSummary_reverts_when_the_mean_does_not_fit() public {
        _give(carol, 1, 18, "", "");
        _give(carol, 1, 18, "", "");
        _give(dave, 1e38, 0, "", "");
        vm.expectPartialRevert(SafeCast.SafeCastOverflowedIntDowncast.selector);
        reputation.getSummary(agentId, _list(carol, dave), "", "");
    }

    /// @dev With equal decimals the scaling must cancel out: the summary is the plain integer mean.
    function testFuzz_getSummary_equals_the_plain_mean(int128[4] memory values, uint8 decimals) public {
        decimals = uint8(bound(decimals, 0, 18));
        int256 sum;
        for (uint256 i; i < values.length; ++i) {
            int128 value = values[i] % (1e38 + 1);
            sum += value;
            _give(i % 2 == 0 ? carol : dave, value, decimals, "", "");
        }
        _assertSummary(_list(carol, dave), "", "", 4, sum / 4, decimals);
    }

    /// @dev With two different decimals the answer stays between the two values, in the decimals used more often.
    function testFuzz_getSummary_lies_between_the_values(uint96 low, uint96 high, uint8 lowDecimals) public {
        lowDecimals = uint8(bound(lowDecimals, 1, 18));
        _give(carol, int128(uint128(low)), lowDecimals, "", "");
        _give(carol, int128(uint128(low)), lowDecimals, "", "");
        uint256 whole = bound(high, 0, 1e15);
        _give(dave, int128(uint128(whole)), 0, "", "");

        (uint64 count, int128 value, uint8 decimals) = reputation.getSummary(agentId, _list(carol, dave), "", "");
        uint256 scaled = whole * 10 ** lowDecimals;
        vm.assertEq(count, 3);
        vm.assertEq(decimals, lowDecimals);
        vm.assertEq(value, int256((2 * uint256(low) + scaled) / 3));
    }

    function test_readAllFeedback_of_everyone() public {
        _give(carol, 100, 0, "starred", "speed");
        _give(dave, 9977, 2, "uptime", "");
        _give(carol, 40, 0, "starred", "price");
        vm.prank(carol);
        reputation.revokeFeedback(agentId, 2);

        (
            address[] memory clients,
            uint64[] memory indexes,
            int128[] memory values,
            uint8[] memory decimals,
            string[] memory tag1s,
            string[] memory tag2s,
            bool[] memory revoked
        ) = reputation.readAllFeedback(agentId, new address[](0), "", "", true);
        vm.assertEq(keccak256(abi.encode(clients)), keccak256(abi.encode(_three(carol, carol, dave))));
        vm.assertEq(keccak256(abi.encode(indexes)), keccak256(abi.encode(_threeNumbers(1, 2, 1))));
        vm.assertEq(values[0], 100);
        vm.assertEq(values[1], 40);
        vm.assertEq(values[2], 9977);
        vm.assertEq(decimals[0], 0);
        vm.assertEq(decimals[2], 2);
        vm.assertEq(tag1s[2], "uptime");
        vm.assertEq(tag2s[0], "speed");
        vm.assertEq(tag2s[1], "price");
        vm.assertFalse(revoked[0]);
        vm.assertTrue(revoked[1]);
    }

    function test_readAllFeedback_filters() public {
        _give(carol, 100, 0, "starred", "speed");
        _give(dave, 50, 0, "starred", "price");
        _give(carol, 40, 0, "uptime", "price");
        vm.prank(dave);
        reputation.revokeFeedback(agentId, 1);

        address[] memory everyone = new address[](0);
        vm.assertEq(_rows(everyone, "", "", false), 2);
        vm.assertEq(_rows(everyone, "", "", true), 3);
        vm.assertEq(_rows(everyone, "starred", "", true), 2);
        vm.assertEq(_rows(everyone, "starred", "", false), 1);
        vm.assertEq(_rows(everyone, "", "price", true), 2);
        vm.assertEq(_rows(everyone, "uptime", "price", true), 1);
        vm.assertEq(_rows(_list(dave), "", "", true), 1);
        vm.assertEq(_rows(_list(alice), "", "", true), 0);
    }

    function _rows(address[] memory clients, string memory tag1, string memory tag2, bool includeRevoked)
        private
        view
        returns (uint256)
    {
        (address[] memory found,,,,,,) = reputation.readAllFeedback(agentId, clients, tag1, tag2, includeRevoked);
        return found.length;
    }

    function _assertSummary(
        address[] memory clients,
        string memory tag1,
        string memory tag2,
        uint64 count,
        int256 value,
        uint8 decimals
    ) private view {
        (uint64 actualCount, int128 actualValue, uint8 actualDecimals) =
            reputation.getSummary(agentId, clients, tag1, tag2);
        vm.assertEq(actualCount, count);
        vm.assertEq(actualValue, value);
        vm.assertEq(actualDecimals, decimals);
    }

    function _three(address a, address b, address c) private pure returns (address[] memory list) {
        list = new address[](3);
        (list[0], list[1], list[2]) = (a, b, c);
    }

    function _threeNumbers(uint64 a, uint64 b, uint64 c) private pure returns (uint64[] memory list) {
        list = new uint64[](3);
        (list[0], list[1], list[2]) = (a, b, c);
    }
}
