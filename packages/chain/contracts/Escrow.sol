// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {EscrowRoles} from "./escrow/EscrowRoles.sol";
import {IReceiveWithAuthorization} from "./escrow/IReceiveWithAuthorization.sol";

/// @title Escrow for jobs between a client and an agent's owner
///
/// @notice A client deposits once per job. The money then leaves to three addresses only, whoever calls: the job's agent wallet,
///         the treasury (2% of what the seller earns) and the job's client. Nobody can pause, upgrade, redirect or sweep.
///
///         Every job can end without the operator and without the arbiter. A seller delivers, and silence releases after the
///         review window. A client claims a missed deadline, or disputes, and an undecided dispute refunds.
///
/// @dev Who acts: the client; the seller and the agent wallet, for the seller's side; and the operator for either side, until
///      that side switches it off for the job. Books are kept per job and never read from the token balance, so a donation
///      changes nothing. State is written before tokens move, and every function that moves tokens is guarded against reentry.
contract Escrow is EscrowRoles, ReentrancyGuardTransient {
    using SafeERC20 for IERC20;

    /// @notice The platform's share of what the seller earns. A constant, so no deposit can meet another fee later.
    uint16 public constant FEE_BPS = 200;

    /// @notice How long the client has to look at a delivery before silence releases.
    uint64 public constant REVIEW_PERIOD = 7 days;

    /// @notice How long after the deadline a late delivery still comes in time.
    uint64 public constant DEADLINE_GRACE = 24 hours;

    /// @notice How long a dispute can be settled or ruled before it refunds.
    uint64 public constant DISPUTE_PERIOD = 30 days;

    /// @notice How often a client may send work back.
    uint8 public constant MAX_CHANGE_REQUESTS = 2;

    uint16 internal constant WHOLE_BPS = 10_000;

    uint8 internal constant NONE = uint8(1 << uint8(JobState.None));
    uint8 internal constant FUNDED = uint8(1 << uint8(JobState.Funded));
    uint8 internal constant SUBMITTED = uint8(1 << uint8(JobState.Submitted));
    uint8 internal constant DISPUTED = uint8(1 << uint8(JobState.Disputed));

    /// @notice The token that every job is paid in.
    IERC20 public immutable token;

    /// @notice The deposits of all open jobs together.
    uint256 public totalHeld;

    /// @notice All payments together that wait for a claim.
    uint256 public totalOwed;

    /// @notice What waits for a claim by this recipient.
    mapping(address recipient => uint256 amount) public owedTo;

    mapping(bytes32 key => Job job) internal _jobs;

    constructor(IERC20 token_, address operator_, address arbiter_, address treasury_)
        EscrowRoles(operator_, arbiter_, treasury_)
    {
        if (address(token_).code.length == 0) revert InvalidAddress(address(token_));
        token = token_;
    }

    // ---- Funding ----

    /// @notice Funds a job from the caller's allowance. The caller must be the client.
    function deposit(JobTerms calldata terms) external nonReentrant {
        _requireCaller(terms.client);
        _open(jobKeyOf(terms), terms);
        uint256 balanceBefore = token.balanceOf(address(this));
        token.safeTransferFrom(terms.client, address(this), terms.amount);
        _requireReceived(balanceBefore, terms.amount);
    }

    /// @notice Funds a job on the client's EIP-3009 signature. Anyone may relay it.
    ///
    /// @dev The signed nonce is the job key, which commits to this chain, this escrow and every term: the signature can fund
    ///      exactly this job, once.
    function depositWithAuthorization(
        JobTerms calldata terms,
        uint256 validAfter,
        uint256 validBefore,
        bytes calldata signature
    ) external nonReentrant {
        bytes32 key = jobKeyOf(terms);
        _open(key, terms);
        uint256 balanceBefore = token.balanceOf(address(this));
        IReceiveWithAuthorization(address(token)).receiveWithAuthorization(
            terms.client, address(this), terms.amount, validAfter, validBefore, key, signature
        );
        _requireReceived(balanceBefore, terms.amount);
    }

    // ---- Work and review ----

    /// @notice Delivers the work and starts the review window. Also after changes were requested, and also late, as long as the
    ///         client has not claimed the missed deadline.
    function submit(bytes32 key, bytes32 deliveryHash) external {
        Job storage job = _jobIn(key, FUNDED);
        _requireParty(key, job, Party.Seller);
        if (deliveryHash == bytes32(0)) revert ZeroDeliveryHash(key);

        uint64 reviewEndsAt = uint64(block.timestamp) + REVIEW_PERIOD;
        job.state = JobState.Submitted;
        job.reviewEndsAt = reviewEndsAt;
        emit WorkSubmitted(key, deliveryHash, reviewEndsAt);
    }

    /// @notice Sends the work back, within the review window and at most twice.
    ///
    /// @dev A deadline that is near or past moves to one review period from now. Otherwise a client could take the delivery,
    ///      ask for changes after the deadline, and claim it as missed at once.
    function requestChanges(bytes32 key) external {
        Job storage job = _jobIn(key, SUBMITTED);
        _requireParty(key, job, Party.Client);
        _requireBefore(job.reviewEndsAt);
        uint8 count = job.changeRequests + 1;
        if (count > MAX_CHANGE_REQUESTS) revert TooManyChangeRequests(key, job.changeRequests);

        uint64 dueAt = job.dueAt;
        uint64 earliestDueAt = uint64(block.timestamp) + REVIEW_PERIOD;
        if (dueAt != 0 && dueAt < earliestDueAt) dueAt = earliestDueAt;
        job.state = JobState.Funded;
        job.changeRequests = count;
        job.dueAt = dueAt;
        job.reviewEndsAt = 0;
        emit ChangesRequested(key, count, dueAt);
    }

    /// @notice Pays the seller. The client's side may do so once the work is submitted; after the review window anyone may.
    function release(bytes32 key) external nonReentrant {
        Job storage job = _jobIn(key, SUBMITTED);
        if (block.timestamp < job.reviewEndsAt) _requireParty(key, job, Party.Client);
        _close(key, job, Outcome.Released, WHOLE_BPS);
    }

    /// @notice Gives the whole deposit back. The seller's side may do so until the job is closed.
    function refund(bytes32 key) external nonReentrant {
        Job storage job = _jobIn(key, FUNDED | SUBMITTED | DISPUTED);
        _requireParty(key, job, Party.Seller);
        _close(key, job, Outcome.Refunded, 0);
    }

    /// @notice Takes the deposit back when nothing was delivered by the deadline and its grace.
    function claimMissedDeadline(bytes32 key) external nonReentrant {
        Job storage job = _jobIn(key, FUNDED);
        _requireParty(key, job, Party.Client);
        if (job.dueAt == 0) revert NoDeadline(key);
        _requireFrom(uint256(job.dueAt) + DEADLINE_GRACE);
        _close(key, job, Outcome.Expired, 0);
    }

    // ---- Disputes ----

    /// @notice Stops the clocks and asks for a decision. Possible until the work is released or may be released by anyone.
    function openDispute(bytes32 key, Party onBehalfOf) external {
        Job storage job = _jobIn(key, FUNDED | SUBMITTED);
        _requireParty(key, job, onBehalfOf);
        if (job.state == JobState.Submitted) _requireBefore(job.reviewEndsAt);

        uint64 undecidedAt = uint64(block.timestamp) + DISPUTE_PERIOD;
        job.state = JobState.Disputed;
        job.undecidedAt = undecidedAt;
        emit DisputeOpened(key, onBehalfOf, undecidedAt);
    }

    /// @notice Offers to end the dispute with `sellerBps` of the deposit for the seller. Replaces any earlier offer.
    function proposeSettlement(bytes32 key, Party onBehalfOf, uint16 sellerBps) external {
        Job storage job = _undecided(key);
        _requireParty(key, job, onBehalfOf);
        _requireShare(sellerBps);

        job.offeredBy = onBehalfOf;
        job.offeredBps = sellerBps;
        emit SettlementProposed(key, onBehalfOf, sellerBps);
    }

    /// @notice Accepts the other side's standing offer. Naming the share means that an offer changed in between is not accepted.
    function acceptSettlement(bytes32 key, Party onBehalfOf, uint16 sellerBps) external nonReentrant {
        Job storage job = _undecided(key);
        _requireParty(key, job, onBehalfOf);
        Party offeredBy = job.offeredBy;
        if (offeredBy == Party.None || offeredBy == onBehalfOf || job.offeredBps != sellerBps) {
            revert NoSuchOffer(key, offeredBy, job.offeredBps, onBehalfOf, sellerBps);
        }
        _close(key, job, Outcome.Settled, sellerBps);
    }

    /// @notice Decides a dispute. The arbiter chooses the shares, never the recipients.
    function rule(bytes32 key, uint16 sellerBps) external nonReentrant {
        _requireCaller(arbiter);
        Job storage job = _undecided(key);
        _requireShare(sellerBps);
        _close(key, job, Outcome.Ruled, sellerBps);
    }

    /// @notice Refunds the client when nobody decided the dispute in its period. Anyone may call.
    function refundUndecided(bytes32 key) external nonReentrant {
        Job storage job = _jobIn(key, DISPUTED);
        _requireFrom(job.undecidedAt);
        _close(key, job, Outcome.Expired, 0);
    }

    // ---- Independence and late payment ----

    /// @notice From now on the operator may not act for the caller's side on this job. There is no way back.
    function disableOperator(bytes32 key) external {
        Job storage job = _jobIn(key, FUNDED | SUBMITTED | DISPUTED);
        bool isClient = msg.sender == job.terms.client;
        bool isSeller = msg.sender == job.terms.seller || msg.sender == job.terms.agentWallet;
        if (!isClient && !isSeller) revert NotAllowed(msg.sender, key, Party.None);

        if (isClient) {
            job.clientActsAlone = true;
            emit OperatorDisabled(key, Party.Client);
        }
        if (isSeller) {
            job.sellerActsAlone = true;
            emit OperatorDisabled(key, Party.Seller);
        }
    }

    /// @notice Pays `recipient` what could not be pushed to it before. Anyone may call; the money goes to `recipient` only.
    function claim(address recipient) external nonReentrant {
        uint256 amount = owedTo[recipient];
        if (amount == 0) revert NothingOwed(recipient);

        owedTo[recipient] = 0;
        totalOwed -= amount;
        emit PaymentClaimed(recipient, amount);
        token.safeTransfer(recipient, amount);
    }

    // ---- Views ----

    /// @notice The job as it stands; all zero if it was never funded.
    function jobOf(bytes32 key) external view returns (Job memory) {
        return _jobs[key];
    }

    /// @notice The key of a job: it commits to the chain, this escrow and every term.
    function jobKeyOf(JobTerms calldata terms) public view returns (bytes32) {
        return keccak256(abi.encode(block.chainid, address(this), terms));
    }

    /// @notice How a deposit is divided when the seller gets `sellerBps` of it. Both divisions round down, in favour of the
    ///         client first and the seller second; the three parts always add up to `amount`.
    function splitOf(uint128 amount, uint16 sellerBps)
        public
        pure
        returns (uint256 sellerNet, uint256 fee, uint256 refunded)
    {
        uint256 sellerGross = uint256(amount) * sellerBps / WHOLE_BPS;
        fee = sellerGross * FEE_BPS / WHOLE_BPS;
        sellerNet = sellerGross - fee;
        refunded = amount - sellerGross;
    }

    // ---- Inside ----

    function _open(bytes32 key, JobTerms calldata terms) private {
        Job storage job = _jobIn(key, NONE);
        _requireUsable(terms.client);
        _requireUsable(terms.seller);
        _requireUsable(terms.agentWallet);
        if (terms.amount == 0) revert ZeroAmount();
        if (terms.deadline != 0) _requireBefore(terms.deadline);

        job.terms = terms;
        job.state = JobState.Funded;
        job.dueAt = terms.deadline;
        totalHeld += terms.amount;
        emit JobFunded(
            key,
            terms.jobRef,
            terms.client,
            terms.seller,
            terms.agentWallet,
            terms.amount,
            FEE_BPS,
            terms.deadline
        );
    }

    /// @dev The only way out of the books: the job is closed before anything is paid, so it can pay only once.
    function _close(bytes32 key, Job storage job, Outcome outcome, uint16 sellerBps) private {
        uint128 amount = job.terms.amount;
        (uint256 sellerNet, uint256 fee, uint256 refunded) = splitOf(amount, sellerBps);
        job.state = JobState.Closed;
        job.outcome = outcome;
        totalHeld -= amount;
        emit JobClosed(key, outcome, sellerNet, fee, refunded);

        _pay(job.terms.agentWallet, sellerNet);
        _pay(treasury, fee);
        _pay(job.terms.client, refunded);
    }

    /// @dev A recipient that the token refuses to pay gets a credit instead, and holds up nobody else. A caller cannot force this
    ///      by sending too little gas: what a starved transfer leaves over is too little to write the credit.
    function _pay(address recipient, uint256 amount) private {
        if (amount == 0 || token.trySafeTransfer(recipient, amount)) return;
        owedTo[recipient] += amount;
        totalOwed += amount;
        emit PaymentDeferred(recipient, amount);
    }

    function _jobIn(bytes32 key, uint8 allowedStates) private view returns (Job storage job) {
        job = _jobs[key];
        JobState state = job.state;
        if (allowedStates & uint8(1 << uint8(state)) == 0) revert WrongState(key, state, allowedStates);
    }

    /// @dev From `undecidedAt` on the refund is the only end, so that a decision and the refund can never race.
    function _undecided(bytes32 key) private view returns (Job storage job) {
        job = _jobIn(key, DISPUTED);
        _requireBefore(job.undecidedAt);
    }

    function _requireParty(bytes32 key, Job storage job, Party party) private view {
        bool allowed;
        if (party == Party.Client) {
            allowed = msg.sender == job.terms.client || (msg.sender == operator && !job.clientActsAlone);
        } else if (party == Party.Seller) {
            allowed = msg.sender == job.terms.seller || msg.sender == job.terms.agentWallet
                || (msg.sender == operator && !job.sellerActsAlone);
        }
        if (!allowed) revert NotAllowed(msg.sender, key, party);
    }

    /// @dev Compares with what was there before, so that a donation is neither counted nor in the way.
    function _requireReceived(uint256 balanceBefore, uint256 expected) private view {
        uint256 received = token.balanceOf(address(this)) - balanceBefore;
        if (received != expected) revert WrongAmountReceived(received, expected);
    }

    function _requireFrom(uint256 moment) private view {
        if (block.timestamp < moment) revert TooEarly(block.timestamp, moment);
    }

    function _requireBefore(uint256 moment) private view {
        if (block.timestamp >= moment) revert TooLate(block.timestamp, moment);
    }

    function _requireShare(uint16 sellerBps) private pure {
        if (sellerBps > WHOLE_BPS) revert InvalidBps(sellerBps, WHOLE_BPS);
    }
}
