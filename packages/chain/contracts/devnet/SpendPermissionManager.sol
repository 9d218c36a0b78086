// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {ERC165Checker} from "@openzeppelin/contracts/utils/introspection/ERC165Checker.sol";
import {Erc6492} from "./Erc6492.sol";
import {SmartWallet} from "./SmartWallet.sol";

/// @title SpendPermissionManager
///
/// @notice Lets a spender pull a smart wallet's tokens, up to an allowance per period, with the wallet's signed
///         permission.
///
/// @dev A devnet stand-in for Coinbase's contract of the same name: same calls, EIP-712 types, events, errors and
///      period rules. `spendWithWithdraw` is left out, since it needs MagicSpend, which the devnet has not. Its runtime
///      code is placed at the canonical address, so it has no constructor and no immutables, and computes its domain on
///      every call.
contract SpendPermissionManager {
    using SafeERC20 for IERC20;

    /// @notice What an account allows a spender to take.
    struct SpendPermission {
        address account;
        address spender;
        /// @dev An ERC-20, or `NATIVE_TOKEN`.
        address token;
        /// @dev The most that can be taken in one period; what is left over lapses.
        uint160 allowance;
        /// @dev Length of a period in seconds.
        uint48 period;
        /// @dev First second of the permission, which may lie in the past; the periods are counted from here.
        uint48 start;
        /// @dev First second after the permission.
        uint48 end;
        /// @dev Tells apart permissions that are otherwise equal.
        uint256 salt;
        bytes extraData;
    }

    /// @notice Several permissions of one account over the same time, approved with one signature.
    struct SpendPermissionBatch {
        address account;
        uint48 period;
        uint48 start;
        uint48 end;
        PermissionDetails[] permissions;
    }

    /// @notice What differs between the permissions of a batch; the fields are those of `SpendPermission`.
    struct PermissionDetails {
        address spender;
        address token;
        uint160 allowance;
        uint256 salt;
        bytes extraData;
    }

    /// @notice One period, from `start` until just before `end`, and what was spent in it.
    struct PeriodSpend {
        uint48 start;
        uint48 end;
        uint160 spend;
    }

    bytes32 public constant SPEND_PERMISSION_TYPEHASH = keccak256(
        "SpendPermission(address account,address spender,address token,uint160 allowance,uint48 period,uint48 start,uint48 end,uint256 salt,bytes extraData)"
    );
    bytes32 public constant SPEND_PERMISSION_BATCH_TYPEHASH = keccak256(
        "SpendPermissionBatch(address account,uint48 period,uint48 start,uint48 end,PermissionDetails[] permissions)PermissionDetails(address spender,address token,uint160 allowance,uint256 salt,bytes extraData)"
    );
    bytes32 public constant PERMISSION_DETAILS_TYPEHASH =
        keccak256("PermissionDetails(address spender,address token,uint160 allowance,uint256 salt,bytes extraData)");

    /// @notice Stands for the native token in the `token` field (ERC-7528).
    address public constant NATIVE_TOKEN = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;

    string private constant DOMAIN_NAME = "Spend Permission Manager";
    string private constant DOMAIN_VERSION = "1";

    mapping(bytes32 hash => bool approved) private _approvedHashes;
    mapping(bytes32 hash => bool revoked) private _revokedHashes;
    mapping(bytes32 hash => PeriodSpend) private _lastUpdatedPeriods;

    /// @dev The native amount that is just now expected from an account; zero outside of a native spend.
    uint256 private transient _expectedReceiveAmount;

    /// @notice A permission was approved, for the first time.
    event SpendPermissionApproved(bytes32 indexed hash, SpendPermission spendPermission);

    /// @notice A permission was revoked, for the first time and for good.
    event SpendPermissionRevoked(bytes32 indexed hash, SpendPermission spendPermission);

    /// @notice A permission was used. `periodSpend.spend` is what this use took, not the total of the period.
    event SpendPermissionUsed(
        bytes32 indexed hash, address indexed account, address indexed spender, address token, PeriodSpend periodSpend
    );

    /// @notice Someone else than `expected` called.
    error InvalidSender(address sender, address expected);

    /// @notice An ERC-721 answers `transferFrom` too, and would move a token instead of an amount.
    error ERC721TokenNotSupported(address token);

    /// @notice The account did not sign this.
    error InvalidSignature();

    /// @notice The permission to replace was used after the replacement had been prepared.
    error InvalidLastUpdatedPeriod(PeriodSpend actualLastUpdatedPeriod, PeriodSpend expectedLastUpdatedPeriod);

    /// @notice The two permissions belong to different accounts.
    error MismatchedAccounts(address firstAccount, address secondAccount);

    /// @notice The batch holds no permission.
    error EmptySpendPermissionBatch();

    /// @notice The token is the zero address.
    error ZeroToken();

    /// @notice The spender is the zero address.
    error ZeroSpender();

    /// @notice The allowance is zero.
    error ZeroAllowance();

    /// @notice The period is zero seconds long.
    error ZeroPeriod();

    /// @notice The permission does not start before it ends.
    error InvalidStartEnd(uint48 start, uint48 end);

    /// @notice Nothing was asked for.
    error ZeroValue();

    /// @notice The permission is not approved, or is revoked.
    error UnauthorizedSpendPermission();

    /// @notice The permission has not started.
    error BeforeSpendPermissionStart(uint48 currentTimestamp, uint48 start);

    /// @notice The permission has ended.
    error AfterSpendPermissionEnd(uint48 currentTimestamp, uint48 end);

    /// @notice The total of the period does not fit into uint160.
    error SpendValueOverflow(uint256 value);

    /// @notice The total of the period would pass the allowance.
    error ExceededSpendPermission(uint256 value, uint256 allowance);

    /// @notice Native token arrived that no spend is waiting for.
    error UnexpectedReceiveAmount(uint256 received, uint256 expected);

    modifier requireSender(address sender) {
        if (msg.sender != sender) revert InvalidSender(msg.sender, sender);
        _;
    }

    /// @notice Takes exactly the native amount that a running spend asked an account for.
    receive() external payable {
        if (msg.value != _expectedReceiveAmount) revert UnexpectedReceiveAmount(msg.value, _expectedReceiveAmount);
    }

    /// @notice Approves a permission; the account calls.
    ///
    /// @return Whether the permission can be used now; false if it was revoked before.
    function approve(SpendPermission calldata spendPermission)
        external
        requireSender(spendPermission.account)
        returns (bool)
    {
        return _approve(spendPermission);
    }

    /// @notice Approves a permission with the account's signature; anyone may call.
    ///
    /// @dev A plain key passes the check as well, although a later `spend` from it must fail for want of a wallet.
    ///
    /// @param signature ERC-1271, ERC-6492 (which deploys the account), or that of a plain key.
    ///
    /// @return Whether the permission can be used now; false if it was revoked before.
    function approveWithSignature(SpendPermission calldata spendPermission, bytes calldata signature)
        external
        returns (bool)
    {
        _requireSignature(spendPermission.account, getHash(spendPermission), signature);
        return _approve(spendPermission);
    }

    /// @notice Approves a whole batch with one signature of the account; anyone may call.
    ///
    /// @return allApproved Whether every permission of the batch can be used now.
    function approveBatchWithSignature(SpendPermissionBatch memory spendPermissionBatch, bytes calldata signature)
        external
        returns (bool allApproved)
    {
        _requireSignature(spendPermissionBatch.account, getBatchHash(spendPermissionBatch), signature);
        allApproved = true;
        for (uint256 i; i < spendPermissionBatch.permissions.length; ++i) {
            if (!_approve(_permissionOf(spendPermissionBatch, i))) allApproved = false;
        }
    }

    /// @notice Replaces one permission by another in one step; the account calls.
    ///
    /// @param expectedLastUpdatedPeriod The last use of the old permission as the account knows it, so that a spend
    ///        which slipped in between stops the replacement.
    ///
    /// @return Whether the new permission can be used now.
    function approveWithRevoke(
        SpendPermission calldata permissionToApprove,
        SpendPermission calldata permissionToRevoke,
        PeriodSpend calldata expectedLastUpdatedPeriod
    ) external requireSender(permissionToApprove.account) returns (bool) {
        if (permissionToApprove.account != permissionToRevoke.account) {
            revert MismatchedAccounts(permissionToApprove.account, permissionToRevoke.account);
        }
        PeriodSpend memory actual = getLastUpdatedPeriod(permissionToRevoke);
        if (keccak256(abi.encode(actual)) != keccak256(abi.encode(expectedLastUpdatedPeriod))) {
            revert InvalidLastUpdatedPeriod(actual, expectedLastUpdatedPeriod);
        }
        _revoke(permissionToRevoke);
        return _approve(permissionToApprove);
    }

    /// @notice Revokes a permission for good, approved or not; the account calls.
    function revoke(SpendPermission calldata spendPermission) external requireSender(spendPermission.account) {
        _revoke(spendPermission);
    }

    /// @notice Gives a permission up for good; its spender calls.
    function revokeAsSpender(SpendPermission calldata spendPermission) external requireSender(spendPermission.spender) {
        _revoke(spendPermission);
    }

    /// @notice Takes `value` from the account; the spender calls and is the one who receives.
    function spend(SpendPermission memory spendPermission, uint160 value)
        external
        requireSender(spendPermission.spender)
    {
        _useSpendPermission(spendPermission, value);
        if (spendPermission.token == NATIVE_TOKEN) {
            _pullNative(spendPermission.account, spendPermission.spender, value);
        } else {
            _pullErc20(IERC20(spendPermission.token), spendPermission.account, spendPermission.spender, value);
        }
    }

    /// @notice Whether a permission was ever approved.
    function isApproved(SpendPermission memory spendPermission) external view returns (bool) {
        return _approvedHashes[getHash(spendPermission)];
    }

    /// @notice Whether a permission was ever revoked.
    function isRevoked(SpendPermission memory spendPermission) external view returns (bool) {
        return _revokedHashes[getHash(spendPermission)];
    }

    /// @notice Whether a permission is approved and not revoked.
    function isValid(SpendPermission memory spendPermission) external view returns (bool) {
        return _isValid(getHash(spendPermission));
    }

    /// @notice The period of the latest use, with its total; all zero before the first use.
    function getLastUpdatedPeriod(SpendPermission memory spendPermission) public view returns (PeriodSpend memory) {
        return _lastUpdatedPeriods[getHash(spendPermission)];
    }

    /// @notice The running period, with its total so far.
    ///
    /// @dev Period n covers [start + n * period, min(end, start + (n + 1) * period)).
    function getCurrentPeriod(SpendPermission memory spendPermission) public view returns (PeriodSpend memory) {
        uint48 currentTimestamp = uint48(block.timestamp);
        if (currentTimestamp < spendPermission.start) {
            revert BeforeSpendPermissionStart(currentTimestamp, spendPermission.start);
        }
        if (currentTimestamp >= spendPermission.end) {
            revert AfterSpendPermissionEnd(currentTimestamp, spendPermission.end);
        }

        PeriodSpend memory last = getLastUpdatedPeriod(spendPermission);
        if (currentTimestamp < last.end) return last;

        uint48 elapsed = (currentTimestamp - spendPermission.start) % spendPermission.period;
        uint48 periodStart = currentTimestamp - elapsed;
        // Summed as uint256, because a period may be so long that its end does not fit into uint48.
        uint256 periodEnd = uint256(periodStart) + spendPermission.period;
        if (periodEnd > spendPermission.end) periodEnd = spendPermission.end;
        return PeriodSpend({start: periodStart, end: uint48(periodEnd), spend: 0});
    }

    /// @notice The EIP-712 digest of a permission: what the account signs, and the key under which it is kept.
    function getHash(SpendPermission memory spendPermission) public view returns (bytes32) {
        return _digestOf(
            keccak256(
                abi.encode(
                    SPEND_PERMISSION_TYPEHASH,
                    spendPermission.account,
                    spendPermission.spender,
                    spendPermission.token,
                    spendPermission.allowance,
                    spendPermission.period,
                    spendPermission.start,
                    spendPermission.end,
                    spendPermission.salt,
                    keccak256(spendPermission.extraData)
                )
            )
        );
    }

    /// @notice The EIP-712 digest of a batch: what the account signs.
    function getBatchHash(SpendPermissionBatch memory spendPermissionBatch) public view returns (bytes32) {
        uint256 length = spendPermissionBatch.permissions.length;
        if (length == 0) revert EmptySpendPermissionBatch();
        bytes32[] memory detailHashes = new bytes32[](length);
        for (uint256 i; i < length; ++i) {
            detailHashes[i] = _hashOf(spendPermissionBatch.permissions[i]);
        }
        return _digestOf(
            keccak256(
                abi.encode(
                    SPEND_PERMISSION_BATCH_TYPEHASH,
                    spendPermissionBatch.account,
                    spendPermissionBatch.period,
                    spendPermissionBatch.start,
                    spendPermissionBatch.end,
                    keccak256(abi.encodePacked(detailHashes))
                )
            )
        );
    }

    /// @notice The EIP-712 domain, as ERC-5267 asks for it.
    function eip712Domain()
        external
        view
        returns (
            bytes1 fields,
            string memory name,
            string memory version,
            uint256 chainId,
            address verifyingContract,
            bytes32 salt,
            uint256[] memory extensions
        )
    {
        return (0x0f, DOMAIN_NAME, DOMAIN_VERSION, block.chainid, address(this), 0, new uint256[](0));
    }

    function _requireSignature(address account, bytes32 digest, bytes calldata signature) private {
        if (!Erc6492.isValidSignatureNow(account, digest, signature)) revert InvalidSignature();
    }

    function _approve(SpendPermission memory permission) private returns (bool) {
        if (permission.token == address(0)) revert ZeroToken();
        if (ERC165Checker.supportsInterface(permission.token, type(IERC721).interfaceId)) {
            revert ERC721TokenNotSupported(permission.token);
        }
        if (permission.spender == address(0)) revert ZeroSpender();
        if (permission.period == 0) revert ZeroPeriod();
        if (permission.allowance == 0) revert ZeroAllowance();
        if (permission.start >= permission.end) revert InvalidStartEnd(permission.start, permission.end);

        bytes32 hash = getHash(permission);
        if (_revokedHashes[hash]) return false;
        if (_approvedHashes[hash]) return true;
        _approvedHashes[hash] = true;
        emit SpendPermissionApproved(hash, permission);
        return true;
    }

    function _revoke(SpendPermission memory permission) private {
        bytes32 hash = getHash(permission);
        if (_revokedHashes[hash]) return;
        _revokedHashes[hash] = true;
        emit SpendPermissionRevoked(hash, permission);
    }

    /// @dev Books the use before any money moves, so that an account which calls back finds it booked.
    function _useSpendPermission(SpendPermission memory permission, uint160 value) private {
        if (value == 0) revert ZeroValue();
        bytes32 hash = getHash(permission);
        if (!_isValid(hash)) revert UnauthorizedSpendPermission();

        PeriodSpend memory current = getCurrentPeriod(permission);
        uint256 total = uint256(current.spend) + value;
        if (total > type(uint160).max) revert SpendValueOverflow(total);
        if (total > permission.allowance) revert ExceededSpendPermission(total, permission.allowance);

        _lastUpdatedPeriods[hash] = PeriodSpend(current.start, current.end, uint160(total));
        emit SpendPermissionUsed(
            hash,
            permission.account,
            permission.spender,
            permission.token,
            PeriodSpend(current.start, current.end, value)
        );
    }

    function _pullErc20(IERC20 token, address account, address recipient, uint256 value) private {
        _execute(account, address(token), 0, abi.encodeCall(IERC20.approve, (address(this), value)));
        token.safeTransferFrom(account, recipient, value);
    }

    /// @dev The account sends to this contract, never straight to the recipient, which could then run code as its
    ///      payee.
    function _pullNative(address account, address recipient, uint256 value) private {
        _expectedReceiveAmount = value;
        _execute(account, address(this), value, "");
        _expectedReceiveAmount = 0;
        Address.sendValue(payable(recipient), value);
    }

    function _execute(address account, address target, uint256 value, bytes memory data) private {
        SmartWallet(payable(account)).execute(target, value, data);
    }

    function _isValid(bytes32 hash) private view returns (bool) {
        return _approvedHashes[hash] && !_revokedHashes[hash];
    }

    function _permissionOf(SpendPermissionBatch memory batch, uint256 index)
        private
        pure
        returns (SpendPermission memory)
    {
        PermissionDetails memory details = batch.permissions[index];
        return SpendPermission({
            account: batch.account,
            spender: details.spender,
            token: details.token,
            allowance: details.allowance,
            period: batch.period,
            start: batch.start,
            end: batch.end,
            salt: details.salt,
            extraData: details.extraData
        });
    }

    function _hashOf(PermissionDetails memory details) private pure returns (bytes32) {
        return keccak256(
            abi.encode(
                PERMISSION_DETAILS_TYPEHASH,
                details.spender,
                details.token,
                details.allowance,
                details.salt,
                keccak256(details.extraData)
            )
        );
    }

    function _digestOf(bytes32 structHash) private view returns (bytes32) {
        // 0x0f: the fields name, version, chainId and verifyingContract.
        bytes32 domainSeparator =
            MessageHashUtils.toDomainSeparator(0x0f, DOMAIN_NAME, DOMAIN_VERSION, block.chainid, address(this), 0);
        return MessageHashUtils.toTypedDataHash(domainSeparator, structHash);
    }
}
