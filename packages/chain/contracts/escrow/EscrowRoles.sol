// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IEscrow} from "./IEscrow.sol";

/// @title The three addresses that the escrow knows by their part, and how they change
///
/// @notice There is no owner. The arbiter and the treasury name their own successors; the operator is named by itself or by the
///         arbiter. Every change takes two steps, both visible as events: the present holder proposes, the successor accepts.
///         Proposing the zero address withdraws a proposal.
///
/// @dev An arbiter that is a contract can replace a stolen operator key in one transaction, by proposing itself and accepting.
abstract contract EscrowRoles is IEscrow {
    /// @notice Relays what a party asked for, unless that party has switched it off.
    address public operator;

    /// @notice Rules on disputes, and on nothing else.
    address public arbiter;

    /// @notice Receives the fees of jobs that close from now on.
    address public treasury;

    /// @notice Who may become the operator by accepting.
    address public pendingOperator;

    /// @notice Who may become the arbiter by accepting.
    address public pendingArbiter;

    /// @notice Who may become the treasury by accepting.
    address public pendingTreasury;

    event OperatorProposed(address indexed proposer, address indexed proposed);
    event OperatorChanged(address indexed previous, address indexed current);
    event ArbiterProposed(address indexed proposer, address indexed proposed);
    event ArbiterChanged(address indexed previous, address indexed current);
    event TreasuryProposed(address indexed proposer, address indexed proposed);
    event TreasuryChanged(address indexed previous, address indexed current);

    constructor(address operator_, address arbiter_, address treasury_) {
        _requireUsable(operator_);
        _requireUsable(arbiter_);
        _requireUsable(treasury_);
        operator = operator_;
        arbiter = arbiter_;
        treasury = treasury_;
        emit OperatorChanged(address(0), operator_);
        emit ArbiterChanged(address(0), arbiter_);
        emit TreasuryChanged(address(0), treasury_);
    }

    /// @notice Names the next operator. The arbiter may do so too, so that a lost or stolen key is not the end of it.
    function proposeOperator(address proposed) external {
        if (msg.sender != arbiter) _requireCaller(operator);
        pendingOperator = proposed;
        emit OperatorProposed(msg.sender, proposed);
    }

    /// @notice Takes over as operator.
    function acceptOperator() external {
        _requireCaller(pendingOperator);
        emit OperatorChanged(operator, msg.sender);
        operator = msg.sender;
        pendingOperator = address(0);
    }

    /// @notice Names the next arbiter.
    function proposeArbiter(address proposed) external {
        _requireCaller(arbiter);
        pendingArbiter = proposed;
        emit ArbiterProposed(msg.sender, proposed);
    }

    /// @notice Takes over as arbiter.
    function acceptArbiter() external {
        _requireCaller(pendingArbiter);
        emit ArbiterChanged(arbiter, msg.sender);
        arbiter = msg.sender;
        pendingArbiter = address(0);
    }

    /// @notice Names the next treasury.
    function proposeTreasury(address proposed) external {
        _requireCaller(treasury);
        pendingTreasury = proposed;
        emit TreasuryProposed(msg.sender, proposed);
    }

    /// @notice Takes over as treasury. Fees that wait for a claim stay with the treasury that earned them.
    function acceptTreasury() external {
        _requireCaller(pendingTreasury);
        emit TreasuryChanged(treasury, msg.sender);
        treasury = msg.sender;
        pendingTreasury = address(0);
    }

    function _requireCaller(address expected) internal view {
        if (msg.sender != expected) revert WrongCaller(msg.sender, expected);
    }

    /// @dev Money sent to the zero address or to the escrow itself would be nobody's.
    function _requireUsable(address given) internal view {
        if (given == address(0) || given == address(this)) revert InvalidAddress(given);
    }
}
