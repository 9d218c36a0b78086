// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {AgentRegistry} from "./AgentRegistry.sol";

/// @title ReputationRegistry
///
/// @notice The ERC-8004 reputation registry: clients leave feedback on agents, may revoke it, and anyone may answer it.
///
/// @dev Same interface, events and revert strings as the canonical deployment that is used on Base. The endpoint, the
///      feedback file and its hash are found in the event only. One difference: a mean that does not fit into int128
///      reverts here, where the canonical code cuts off its upper bits.
contract ReputationRegistry {
    struct Feedback {
        int128 value;
        uint8 valueDecimals;
        bool isRevoked;
        uint64 responseCount;
        string tag1;
        string tag2;
        mapping(address responder => uint64 count) responsesOf;
    }

    /// @dev Keeps the arguments of {giveFeedback} together, one stack slot instead of twelve.
    struct Submission {
        uint256 agentId;
        int128 value;
        uint8 valueDecimals;
        string tag1;
        string tag2;
        string endpoint;
        string feedbackURI;
        bytes32 feedbackHash;
    }

    /// @dev What a reader asks for; a tag hash of zero stands for "any tag".
    struct Filter {
        bytes32 tag1Hash;
        bytes32 tag2Hash;
        bool includeRevoked;
    }

    /// @dev What a summary is made of. Every value is brought to 18 decimals, at most 1e56 each, so not even 2^64 of
    ///      them overflow the sum; `occurrences` counts how often each number of decimals, 0 to 18, was used.
    struct Tally {
        int256 sum;
        uint64 count;
        uint64[19] occurrences;
    }

    /// @dev Keeps the seven answers of {readAllFeedback} together, one stack slot instead of seven.
    struct Page {
        address[] clients;
        uint64[] feedbackIndexes;
        int128[] values;
        uint8[] valueDecimals;
        string[] tag1s;
        string[] tag2s;
        bool[] revokedStatuses;
    }

    int128 private constant MAX_ABS_VALUE = 1e38;
    uint8 private constant MAX_DECIMALS = 18;

    AgentRegistry private immutable _identityRegistry;

    mapping(uint256 agentId => mapping(address client => mapping(uint64 index => Feedback))) private _feedback;
    mapping(uint256 agentId => mapping(address client => uint64 index)) private _lastIndex;
    mapping(uint256 agentId => address[] clients) private _clients;

    /// @notice A client gave feedback.
    event NewFeedback(
        uint256 indexed agentId,
        address indexed clientAddress,
        uint64 feedbackIndex,
        int128 value,
        uint8 valueDecimals,
        string indexed indexedTag1,
        string tag1,
        string tag2,
        string endpoint,
        string feedbackURI,
        bytes32 feedbackHash
    );

    /// @notice A client revoked its feedback.
    event FeedbackRevoked(uint256 indexed agentId, address indexed clientAddress, uint64 indexed feedbackIndex);

    /// @notice Someone answered a feedback.
    event ResponseAppended(
        uint256 indexed agentId,
        address indexed clientAddress,
        uint64 feedbackIndex,
        address indexed responder,
        string responseURI,
        bytes32 responseHash
    );

    /// @param identityRegistry The registry whose agents are rated here.
    constructor(address identityRegistry) {
        require(identityRegistry != address(0), "bad identity");
        _identityRegistry = AgentRegistry(identityRegistry);
    }

    /// @notice Rates an agent; neither its owner nor anyone who acts for the owner may do so.
    ///
    /// @param agentId The agent.
    /// @param value The rating, at most 1e38 either way.
    /// @param valueDecimals How many decimals `value` carries, at most 18.
    /// @param tag1 What was rated, `starred` for a 0 to 100 rating.
    /// @param tag2 A second tag.
    /// @param endpoint The endpoint that was used.
    /// @param feedbackURI Where the feedback file is found.
    /// @param feedbackHash The keccak256 of that file, zero where the URI itself commits to it.
    function giveFeedback(
        uint256 agentId,
        int128 value,
        uint8 valueDecimals,
        string calldata tag1,
        string calldata tag2,
        string calldata endpoint,
        string calldata feedbackURI,
        bytes32 feedbackHash
    ) external {
        _record(
            Submission({
                agentId: agentId,
                value: value,
                valueDecimals: valueDecimals,
                tag1: tag1,
                tag2: tag2,
                endpoint: endpoint,
                feedbackURI: feedbackURI,
                feedbackHash: feedbackHash
            })
        );
    }

    /// @notice Takes back a feedback of the caller; it stays readable and leaves the summaries.
    ///
    /// @param agentId The agent.
    /// @param feedbackIndex Which of the caller's feedbacks, counted from 1.
    function revokeFeedback(uint256 agentId, uint64 feedbackIndex) external {
        Feedback storage feedback = _requireFeedback(agentId, msg.sender, feedbackIndex);
        require(!feedback.isRevoked, "Already revoked");
        feedback.isRevoked = true;
        emit FeedbackRevoked(agentId, msg.sender, feedbackIndex);
    }

    /// @notice Answers a feedback, as anyone.
    ///
    /// @param agentId The agent.
    /// @param clientAddress Who gave the feedback.
    /// @param feedbackIndex Which of that client's feedbacks, counted from 1.
    /// @param responseURI Where the answer is found.
    /// @param responseHash The keccak256 of the answer, zero where the URI itself commits to it.
    function appendResponse(
        uint256 agentId,
        address clientAddress,
        uint64 feedbackIndex,
        string calldata responseURI,
        bytes32 responseHash
    ) external {
        Feedback storage feedback = _requireFeedback(agentId, clientAddress, feedbackIndex);
        require(bytes(responseURI).length > 0, "Empty URI");
        ++feedback.responseCount;
        ++feedback.responsesOf[msg.sender];
        emit ResponseAppended(agentId, clientAddress, feedbackIndex, msg.sender, responseURI, responseHash);
    }

    /// @notice The mean of the matching feedback that is not revoked, in the decimals that occur most often among it
    ///         (the fewer decimals where two occur equally often), truncated toward zero.
    ///
    /// @param agentId The agent.
    /// @param clientAddresses Whose feedback counts. It may not be empty: an open list would let anyone pad the result.
    /// @param tag1 Only feedback with this first tag; empty for any.
    /// @param tag2 Only feedback with this second tag; empty for any.
    ///
    /// @return count How many feedbacks matched.
    /// @return summaryValue Their mean.
    /// @return summaryValueDecimals The decimals of `summaryValue`.
    function getSummary(uint256 agentId, address[] calldata clientAddresses, string calldata tag1, string calldata tag2)
        external
        view
        returns (uint64 count, int128 summaryValue, uint8 summaryValueDecimals)
    {
        require(clientAddresses.length > 0, "clientAddresses required");
        Tally memory tally = _tally(agentId, clientAddresses, _filterOf(tag1, tag2, false));
        if (tally.count == 0) return (0, 0, 0);

        for (uint8 decimals = 1; decimals <= MAX_DECIMALS; ++decimals) {
            if (tally.occurrences[decimals] > tally.occurrences[summaryValueDecimals]) summaryValueDecimals = decimals;
        }
        int256 mean = tally.sum / int256(uint256(tally.count));
        summaryValue = SafeCast.toInt128(mean / _scaleTo18(summaryValueDecimals));
        count = tally.count;
    }

    /// @notice One feedback.
    function readFeedback(uint256 agentId, address clientAddress, uint64 feedbackIndex)
        external
        view
        returns (int128 value, uint8 valueDecimals, string memory tag1, string memory tag2, bool isRevoked)
    {
        Feedback storage feedback = _requireFeedback(agentId, clientAddress, feedbackIndex);
        return (feedback.value, feedback.valueDecimals, feedback.tag1, feedback.tag2, feedback.isRevoked);
    }

    /// @notice All matching feedback, as parallel lists.
    ///
    /// @param agentId The agent.
    /// @param clientAddresses Whose feedback; empty for all clients.
    /// @param tag1 Only feedback with this first tag; empty for any.
    /// @param tag2 Only feedback with this second tag; empty for any.
    /// @param includeRevoked Whether revoked feedback is listed too.
    function readAllFeedback(
        uint256 agentId,
        address[] memory clientAddresses,
        string memory tag1,
        string memory tag2,
        bool includeRevoked
    )
        external
        view
        returns (
            address[] memory clients,
            uint64[] memory feedbackIndexes,
            int128[] memory values,
            uint8[] memory valueDecimals,
            string[] memory tag1s,
            string[] memory tag2s,
            bool[] memory revokedStatuses
        )
    {
        if (clientAddresses.length == 0) clientAddresses = _clients[agentId];
        Page memory page = _collect(agentId, clientAddresses, _filterOf(tag1, tag2, includeRevoked));
        clients = page.clients;
        feedbackIndexes = page.feedbackIndexes;
        values = page.values;
        valueDecimals = page.valueDecimals;
        tag1s = page.tag1s;
        tag2s = page.tag2s;
        revokedStatuses = page.revokedStatuses;
    }

    /// @notice How many answers were given.
    ///
    /// @param agentId The agent.
    /// @param clientAddress To whose feedback; zero for all clients.
    /// @param feedbackIndex To which feedback of that client; zero for all.
    /// @param responders By whom; empty for anyone.
    function getResponseCount(
        uint256 agentId,
        address clientAddress,
        uint64 feedbackIndex,
        address[] calldata responders
    ) external view returns (uint64 count) {
        if (clientAddress == address(0)) {
            address[] storage clients = _clients[agentId];
            for (uint256 i; i < clients.length; ++i) {
                count += _countAllResponses(agentId, clients[i], responders);
            }
            return count;
        }
        if (feedbackIndex == 0) return _countAllResponses(agentId, clientAddress, responders);
        return _countResponses(_feedback[agentId][clientAddress][feedbackIndex], responders);
    }

    /// @notice Everyone who ever gave feedback on an agent.
    function getClients(uint256 agentId) external view returns (address[] memory) {
        return _clients[agentId];
    }

    /// @notice The index of a client's newest feedback on an agent; zero when there is none.
    function getLastIndex(uint256 agentId, address clientAddress) external view returns (uint64) {
        return _lastIndex[agentId][clientAddress];
    }

    /// @notice The registry whose agents are rated here.
    function getIdentityRegistry() external view returns (address) {
        return address(_identityRegistry);
    }

    /// @notice The version of the canonical contracts that this one follows.
    function getVersion() external pure returns (string memory) {
        return "2.0.0";
    }

    function _record(Submission memory given) private {
        require(given.valueDecimals <= MAX_DECIMALS, "too many decimals");
        require(given.value >= -MAX_ABS_VALUE && given.value <= MAX_ABS_VALUE, "value too large");
        require(!_identityRegistry.isAuthorizedOrOwner(msg.sender, given.agentId), "Self-feedback not allowed");

        uint64 index = ++_lastIndex[given.agentId][msg.sender];
        if (index == 1) _clients[given.agentId].push(msg.sender);
        Feedback storage feedback = _feedback[given.agentId][msg.sender][index];
        feedback.value = given.value;
        feedback.valueDecimals = given.valueDecimals;
        feedback.tag1 = given.tag1;
        feedback.tag2 = given.tag2;

        emit NewFeedback(
            given.agentId,
            msg.sender,
            index,
            given.value,
            given.valueDecimals,
            given.tag1,
            given.tag1,
            given.tag2,
            given.endpoint,
            given.feedbackURI,
            given.feedbackHash
        );
    }

    function _requireFeedback(uint256 agentId, address client, uint64 index) private view returns (Feedback storage) {
        require(index > 0, "index must be > 0");
        require(index <= _lastIndex[agentId][client], "index out of bounds");
        return _feedback[agentId][client][index];
    }

    function _tally(uint256 agentId, address[] calldata clients, Filter memory filter)
        private
        view
        returns (Tally memory tally)
    {
        for (uint256 i; i < clients.length; ++i) {
            uint64 lastIndex = _lastIndex[agentId][clients[i]];
            for (uint64 index = 1; index <= lastIndex; ++index) {
                Feedback storage feedback = _feedback[agentId][clients[i]][index];
                if (!_matches(feedback, filter)) continue;
                tally.sum += feedback.value * _scaleTo18(feedback.valueDecimals);
                ++tally.occurrences[feedback.valueDecimals];
                ++tally.count;
            }
        }
    }

    /// @dev Walks twice, once to size the lists and once to fill them, since a list in memory cannot grow.
    function _collect(uint256 agentId, address[] memory clients, Filter memory filter)
        private
        view
        returns (Page memory page)
    {
        uint256 total;
        for (uint256 i; i < clients.length; ++i) {
            uint64 lastIndex = _lastIndex[agentId][clients[i]];
            for (uint64 index = 1; index <= lastIndex; ++index) {
                if (_matches(_feedback[agentId][clients[i]][index], filter)) ++total;
            }
        }

        page = _emptyPage(total);
        uint256 row;
        for (uint256 i; i < clients.length; ++i) {
            uint64 lastIndex = _lastIndex[agentId][clients[i]];
            for (uint64 index = 1; index <= lastIndex; ++index) {
                Feedback storage feedback = _feedback[agentId][clients[i]][index];
                if (!_matches(feedback, filter)) continue;
                page.clients[row] = clients[i];
                page.feedbackIndexes[row] = index;
                page.values[row] = feedback.value;
                page.valueDecimals[row] = feedback.valueDecimals;
                page.tag1s[row] = feedback.tag1;
                page.tag2s[row] = feedback.tag2;
                page.revokedStatuses[row] = feedback.isRevoked;
                ++row;
            }
        }
    }

    function _emptyPage(uint256 rows) private pure returns (Page memory page) {
        page.clients = new address[](rows);
        page.feedbackIndexes = new uint64[](rows);
        page.values = new int128[](rows);
        page.valueDecimals = new uint8[](rows);
        page.tag1s = new string[](rows);
        page.tag2s = new string[](rows);
        page.revokedStatuses = new bool[](rows);
    }

    function _filterOf(string memory tag1, string memory tag2, bool includeRevoked)
        private
        pure
        returns (Filter memory)
    {
        return Filter({tag1Hash: _tagHash(tag1), tag2Hash: _tagHash(tag2), includeRevoked: includeRevoked});
    }

    function _tagHash(string memory tag) private pure returns (bytes32) {
        return bytes(tag).length == 0 ? bytes32(0) : keccak256(bytes(tag));
    }

    function _matches(Feedback storage feedback, Filter memory filter) private view returns (bool) {
        if (feedback.isRevoked && !filter.includeRevoked) return false;
        if (filter.tag1Hash != 0 && filter.tag1Hash != keccak256(bytes(feedback.tag1))) return false;
        return filter.tag2Hash == 0 || filter.tag2Hash == keccak256(bytes(feedback.tag2));
    }

    function _countAllResponses(uint256 agentId, address client, address[] calldata responders)
        private
        view
        returns (uint64 count)
    {
        uint64 lastIndex = _lastIndex[agentId][client];
        for (uint64 index = 1; index <= lastIndex; ++index) {
            count += _countResponses(_feedback[agentId][client][index], responders);
        }
    }

    function _countResponses(Feedback storage feedback, address[] calldata responders)
        private
        view
        returns (uint64 count)
    {
        if (responders.length == 0) return feedback.responseCount;
        for (uint256 i; i < responders.length; ++i) {
            count += feedback.responsesOf[responders[i]];
        }
    }

    function _scaleTo18(uint8 decimals) private pure returns (int256) {
        return int256(10 ** uint256(MAX_DECIMALS - decimals));
    }
}
