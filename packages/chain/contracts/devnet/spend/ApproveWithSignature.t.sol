// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SmartWallet} from "../SmartWallet.sol";
import {SpendPermissionManager} from "../SpendPermissionManager.sol";
import {SpendPermissionTest} from "./SpendPermissionTest.t.sol";

/// @dev Refuses every signature until someone switches it on: the second use of ERC-6492, preparing a deployed account.
contract SleepingAccount {
    bool private _awake;

    function wake() external {
        _awake = true;
    }

    function isAwake() external view returns (bool) {
        return _awake;
    }

    function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
        return _awake ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
    }
}

/// @dev Vouches for anything as soon as the thief has the money, so that the theft would not be rolled back.
contract Accomplice {
    IERC20 private immutable _token;
    address private immutable _thief;

    constructor(IERC20 token, address thief) {
        _token = token;
        _thief = thief;
    }

    function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
        return _token.balanceOf(_thief) > 0 ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
    }
}

contract ApproveWithSignatureTest is SpendPermissionTest {
    function test_approveWithSignature_of_a_deployed_wallet() public {
        bytes memory signature = _walletSignature("alice", address(wallet), MANAGER.getHash(permission));
        vm.expectEmit(address(MANAGER));
        emit SpendPermissionManager.SpendPermissionApproved(MANAGER.getHash(permission), permission);
        vm.assertTrue(MANAGER.approveWithSignature(permission, signature));
        vm.assertTrue(MANAGER.isValid(permission));
    }

    function test_approveWithSignature_deploys_the_wallet() public {
        address account = _undeployed();
        vm.assertEq(account.code.length, 0);
        vm.assertTrue(MANAGER.approveWithSignature(permission, _deployingSignature("alice")));
        vm.assertTrue(SmartWallet(payable(account)).isOwnerAddress(alice));
        vm.assertTrue(SmartWallet(payable(account)).isOwnerAddress(address(MANAGER)));

        usdc.mint(account, 10e6);
        _spend(10e6);
        vm.assertEq(usdc.balanceOf(spender), 10e6);
    }

    function test_approveWithSignature_accepts_the_wrapping_when_the_wallet_is_there_already() public {
        _undeployed();
        bytes memory signature = _deployingSignature("alice");
        FACTORY.createAccount(_walletOwners(), 1);
        vm.assertTrue(MANAGER.approveWithSignature(permission, signature));
    }

    function test_approveWithSignature_prepares_a_deployed_account() public {
        SleepingAccount account = new SleepingAccount();
        permission.account = address(account);
        bytes memory wrapped = _wrap(address(account), abi.encodeCall(account.wake, ()), "");
        vm.expectRevert(SpendPermissionManager.InvalidSignature.selector);
        MANAGER.approveWithSignature(permission, "");
        vm.assertTrue(MANAGER.approveWithSignature(permission, wrapped));
    }

    function test_approveWithSignature_makes_no_factory_call_when_the_account_vouches_already() public {
        SleepingAccount bystander = new SleepingAccount();
        bytes memory inner = _walletSignature("alice", address(wallet), MANAGER.getHash(permission));
        MANAGER.approveWithSignature(permission, _wrap(address(bystander), abi.encodeCall(bystander.wake, ()), inner));
        vm.assertFalse(bystander.isAwake());
    }

    function test_approveWithSignature_accepts_a_plain_key_that_can_never_be_spent_from() public {
        permission.account = alice;
        bytes memory signature = _keySignature("alice", MANAGER.getHash(permission));
        vm.assertTrue(MANAGER.approveWithSignature(permission, signature));
        usdc.mint(alice, 10e6);
        vm.expectRevert();
        _spend(1);
    }

    function test_approveWithSignature_reverts_on_the_signature_of_another() public {
        bytes memory signature = _walletSignature("mallory", address(wallet), MANAGER.getHash(permission));
        _expectInvalid(signature);
    }

    function test_approveWithSignature_reverts_on_a_wrapped_signature_of_another() public {
        _undeployed();
        _expectInvalid(_deployingSignature("mallory"));
        vm.assertEq(permission.account.code.length, 0);
    }

    function test_approveWithSignature_reverts_when_the_factory_fails() public {
        _undeployed();
        bytes memory inner = _walletSignature("alice", permission.account, MANAGER.getHash(permission));
        _expectInvalid(_wrap(address(FACTORY), abi.encodeCall(FACTORY.createAccount, (new bytes[](0), 1)), inner));
    }

    function test_approveWithSignature_reverts_when_the_factory_makes_another_wallet() public {
        _undeployed();
        bytes memory inner = _walletSignature("alice", permission.account, MANAGER.getHash(permission));
        _expectInvalid(_wrap(address(FACTORY), abi.encodeCall(FACTORY.createAccount, (_walletOwners(), 77)), inner));
    }

    function test_approveWithSignature_never_takes_a_wrapped_key_signature_for_an_account_without_code() public {
        permission.account = alice;
        bytes memory inner = _keySignature("alice", MANAGER.getHash(permission));
        _expectInvalid(_wrap(address(FACTORY), "", inner));
    }

    function test_approveWithSignature_reverts_for_altered_terms() public {
        bytes memory signature = _walletSignature("alice", address(wallet), MANAGER.getHash(permission));
        permission.allowance += 1;
        _expectInvalid(signature);
    }

    function test_approveWithSignature_reverts_for_another_manager() public {
        SpendPermissionManager other = new SpendPermissionManager();
        bytes memory signature = _walletSignature("alice", address(wallet), other.getHash(permission));
        _expectInvalid(signature);
    }

    function test_approveWithSignature_reverts_for_another_chain() public {
        bytes memory signature = _walletSignature("alice", address(wallet), MANAGER.getHash(permission));
        vm.chainId(8453);
        _expectInvalid(signature);
    }

    function test_approveWithSignature_says_false_once_revoked() public {
        bytes memory signature = _walletSignature("alice", address(wallet), MANAGER.getHash(permission));
        vm.prank(spender);
        MANAGER.revokeAsSpender(permission);
        vm.assertFalse(MANAGER.approveWithSignature(permission, signature));
        vm.assertFalse(MANAGER.isValid(permission));
    }

    function test_approveWithSignature_checks_the_terms_as_well() public {
        permission.allowance = 0;
        bytes memory signature = _walletSignature("alice", address(wallet), MANAGER.getHash(permission));
        vm.expectRevert(SpendPermissionManager.ZeroAllowance.selector);
        MANAGER.approveWithSignature(permission, signature);
    }

    /// @dev The manager owns the victim's wallet. If it made the "factory" call itself, anyone could empty that wallet.
    function test_approveWithSignature_lends_its_power_to_no_factory_call() public {
        address mallory = makeAddr("mallory");
        bytes memory theft =
            abi.encodeCall(wallet.execute, (address(usdc), 0, abi.encodeCall(usdc.transfer, (mallory, 1000e6))));
        permission.account = address(new Accomplice(usdc, mallory));
        _expectInvalid(_wrap(address(wallet), theft, ""));
        vm.assertEq(usdc.balanceOf(address(wallet)), 1000e6);
    }

    function test_approveBatchWithSignature() public {
        SpendPermissionManager.SpendPermissionBatch memory batch = _batch();
        bytes memory signature = _walletSignature("alice", address(wallet), MANAGER.getBatchHash(batch));
        vm.assertTrue(MANAGER.approveBatchWithSignature(batch, signature));
        vm.assertTrue(MANAGER.isValid(permission));
        permission.salt = 2;
        permission.allowance = 20e6;
        vm.assertTrue(MANAGER.isValid(permission));
    }

    function test_approveBatchWithSignature_says_false_when_one_is_revoked() public {
        vm.prank(address(wallet));
        MANAGER.revoke(permission);
        SpendPermissionManager.SpendPermissionBatch memory batch = _batch();
        bytes memory signature = _walletSignature("alice", address(wallet), MANAGER.getBatchHash(batch));
        vm.assertFalse(MANAGER.approveBatchWithSignature(batch, signature));
        vm.assertFalse(MANAGER.isValid(permission));
        permission.salt = 2;
        permission.allowance = 20e6;
        vm.assertTrue(MANAGER.isValid(permission));
    }

    function test_approveBatchWithSignature_reverts_on_the_signature_of_another() public {
        SpendPermissionManager.SpendPermissionBatch memory batch = _batch();
        bytes memory signature = _walletSignature("mallory", address(wallet), MANAGER.getBatchHash(batch));
        vm.expectRevert(SpendPermissionManager.InvalidSignature.selector);
        MANAGER.approveBatchWithSignature(batch, signature);
    }

    function test_approveBatchWithSignature_reverts_on_an_empty_batch() public {
        SpendPermissionManager.SpendPermissionBatch memory batch = _batch();
        batch.permissions = new SpendPermissionManager.PermissionDetails[](0);
        vm.expectRevert(SpendPermissionManager.EmptySpendPermissionBatch.selector);
        MANAGER.approveBatchWithSignature(batch, "");
    }

    function test_getBatchHash_is_the_typed_data_hash() public view {
        SpendPermissionManager.SpendPermissionBatch memory batch = _batch();
        bytes32[] memory details = new bytes32[](2);
        for (uint256 i; i < 2; ++i) {
            details[i] = keccak256(
                abi.encode(
                    MANAGER.PERMISSION_DETAILS_TYPEHASH(),
                    spender,
                    address(usdc),
                    batch.permissions[i].allowance,
                    batch.permissions[i].salt,
                    keccak256("")
                )
            );
        }
        bytes32 structHash = keccak256(
            abi.encode(
                MANAGER.SPEND_PERMISSION_BATCH_TYPEHASH(),
                batch.account,
                batch.period,
                batch.start,
                batch.end,
                keccak256(abi.encodePacked(details[0], details[1]))
            )
        );
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("Spend Permission Manager"),
                keccak256("1"),
                block.chainid,
                address(MANAGER)
            )
        );
        vm.assertEq(MANAGER.getBatchHash(batch), keccak256(abi.encodePacked("\x19\x01", domain, structHash)));
    }

    function _expectInvalid(bytes memory signature) private {
        vm.expectRevert(SpendPermissionManager.InvalidSignature.selector);
        MANAGER.approveWithSignature(permission, signature);
    }

    /// @dev Moves the permission to a wallet of Alice's that nobody has created yet.
    function _undeployed() private returns (address account) {
        account = FACTORY.getAddress(_walletOwners(), 1);
        permission = _permissionOf(account);
    }

    function _deployingSignature(string memory who) private view returns (bytes memory) {
        bytes memory inner = _walletSignature(who, permission.account, MANAGER.getHash(permission));
        return _wrap(address(FACTORY), abi.encodeCall(FACTORY.createAccount, (_walletOwners(), 1)), inner);
    }

    /// @dev Two permissions: the usual one, and one with salt 2 and twice the allowance.
    function _batch() private view returns (SpendPermissionManager.SpendPermissionBatch memory batch) {
        batch.account = permission.account;
        batch.period = permission.period;
        batch.start = permission.start;
        batch.end = permission.end;
        batch.permissions = new SpendPermissionManager.PermissionDetails[](2);
        for (uint256 i; i < 2; ++i) {
            batch.permissions[i] = SpendPermissionManager.PermissionDetails({
                spender: spender, token: address(usdc), allowance: uint160((i + 1) * 10e6), salt: i + 1, extraData: ""
            });
        }
    }
}
