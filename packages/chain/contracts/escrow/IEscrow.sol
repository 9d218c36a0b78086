// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

/// @title What the escrow speaks: its types, events and errors
///
/// @notice All amounts are in the token's smallest unit, all times are Unix seconds, and all shares are basis points.
interface IEscrow {
    /// @notice The two sides of a job.
    enum Party {
        None,
        Client,
        Seller
    }

    /// @notice Where a job stands. A job that was never funded is `None`; `Closed` is final.
    enum JobState {
        None,
        Funded,
        Submitted,
        Disputed,
        Closed
    }

    /// @notice How a closed job ended.
    ///
    /// @dev `Refunded` is the seller's own choice; `Expired` is a refund that time decided: a missed deadline, or a dispute that
    ///      nobody decided.
    enum Outcome {
        None,
        Released,
        Refunded,
        Settled,
        Ruled,
        Expired
    }

    /// @notice What client and seller agreed on. The job key commits to every field.
    struct JobTerms {
        /// The marketplace's own reference of the job.
        bytes32 jobRef;
        /// Who pays, and gets every refund.
        address client;
        /// Who owns the agent and may act for it.
        address seller;
        /// Where the earnings go.
        address agentWallet;
        /// What the client deposits.
        uint128 amount;
        /// When the work is due; 0 means that there is no deadline.
        uint64 deadline;
    }

    /// @notice A job as the escrow keeps it.
    ///
    /// @dev Everything after `terms` shares one storage slot, so that a change of state writes one word.
    struct Job {
        JobTerms terms;
        JobState state;
        Outcome outcome;
        /// How often the client has asked for changes.
        uint8 changeRequests;
        /// The deadline that counts: the one agreed, or a later one that a change request set; 0 means none.
        uint64 dueAt;
        /// While `Submitted`: from this moment on anyone may release.
        uint64 reviewEndsAt;
        /// While `Disputed`: from this moment on anyone may have the client refunded.
        uint64 undecidedAt;
        /// Who made the standing settlement offer, if there is one.
        Party offeredBy;
        /// The seller's share in the standing settlement offer.
        uint16 offeredBps;
        /// The client has switched the operator off for itself.
        bool clientActsAlone;
        /// The seller has switched the operator off for itself.
        bool sellerActsAlone;
    }

    /// @notice A client's money for one job arrived.
    event JobFunded(
        bytes32 indexed key,
        bytes32 indexed jobRef,
        address indexed client,
        address seller,
        address agentWallet,
        uint128 amount,
        uint16 feeBps,
        uint64 deadline
    );

    /// @notice The seller delivered, and the review window began.
    event WorkSubmitted(bytes32 indexed key, bytes32 deliveryHash, uint64 reviewEndsAt);

    /// @notice The client sent the work back; `dueAt` is when the changes are due, 0 if there is no deadline.
    event ChangesRequested(bytes32 indexed key, uint8 count, uint64 dueAt);

    /// @notice One side asked for a decision; from `undecidedAt` on, anyone may have the client refunded.
    event DisputeOpened(bytes32 indexed key, Party by, uint64 undecidedAt);

    /// @notice One side offered to split the deposit; the newest offer stands and replaces the one before.
    event SettlementProposed(bytes32 indexed key, Party by, uint16 sellerBps);

    /// @notice A job ended. Emitted exactly once per job, and `sellerNet + fee + refunded` is the deposit.
    event JobClosed(bytes32 indexed key, Outcome outcome, uint256 sellerNet, uint256 fee, uint256 refunded);

    /// @notice A party has switched the operator off for itself on this job.
    event OperatorDisabled(bytes32 indexed key, Party party);

    /// @notice A payment could not be pushed and waits for `claim`.
    event PaymentDeferred(address indexed recipient, uint256 amount);

    /// @notice A payment that waited was paid out.
    event PaymentClaimed(address indexed recipient, uint256 amount);

    /// @notice The job is in a state in which this call has no meaning.
    ///
    /// @param allowedStates One bit per state: `1 << uint8(state)`.
    error WrongState(bytes32 key, JobState actual, uint8 allowedStates);

    /// @notice The caller may not act for this party on this job.
    error NotAllowed(address caller, bytes32 key, Party party);

    /// @notice The call belongs to one address, and this is another.
    error WrongCaller(address caller, address expected);

    /// @notice The call is allowed only from a later moment on.
    error TooEarly(uint256 timestamp, uint256 allowedFrom);

    /// @notice The call was allowed only before an earlier moment.
    error TooLate(uint256 timestamp, uint256 allowedBefore);

    /// @notice The job has no deadline that could be missed.
    error NoDeadline(bytes32 key);

    /// @notice The client has asked for changes as often as it may.
    error TooManyChangeRequests(bytes32 key, uint8 count);

    /// @notice A delivery needs a hash that says what was delivered.
    error ZeroDeliveryHash(bytes32 key);

    /// @notice A share cannot be more than the whole.
    error InvalidBps(uint16 given, uint16 maximum);

    /// @notice The offer to accept is not the other side's standing offer.
    error NoSuchOffer(bytes32 key, Party standingBy, uint16 standingBps, Party acceptedBy, uint16 acceptedBps);

    /// @notice A job holds at least one unit.
    error ZeroAmount();

    /// @notice This address cannot take that part.
    error InvalidAddress(address given);

    /// @notice The deposit moved another amount than the terms name.
    error WrongAmountReceived(uint256 received, uint256 expected);

    /// @notice There is nothing to claim for this address.
    error NothingOwed(address recipient);
}
