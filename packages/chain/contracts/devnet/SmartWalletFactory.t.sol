// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Test} from "../testing/Test.sol";
import {SmartWallet} from "./SmartWallet.sol";
import {SmartWalletFactory} from "./SmartWalletFactory.sol";
import {WalletOwners} from "./WalletOwners.sol";

contract SmartWalletFactoryTest is Test {
    SmartWalletFactory private constant FACTORY = SmartWalletFactory(0xBA5ED110eFDBa3D005bfC882d75358ACBbB85842);

    address internal alice;

    function setUp() public {
        // As on the devnet: only the runtime code is placed, no constructor ever runs at this address.
        vm.etch(address(FACTORY), address(new SmartWalletFactory()).code);
        alice = makeAddr("alice");
    }

    function testFuzz_createAccount_lands_where_getAddress_says(address owner, uint256 nonce) public {
        bytes[] memory owners = _ownedBy(owner);
        address predicted = FACTORY.getAddress(owners, nonce);
        vm.assertEq(predicted.code.length, 0);
        SmartWallet wallet = FACTORY.createAccount(owners, nonce);
        vm.assertEq(address(wallet), predicted);
        vm.assertTrue(wallet.isOwnerAddress(owner));
        vm.assertEq(wallet.ownerCount(), 1);
    }

    function test_getAddress_is_create2_with_the_salt_of_owners_and_nonce() public view {
        bytes[] memory owners = _ownedBy(alice);
        bytes32 salt = keccak256(abi.encode(owners, uint256(3)));
        bytes32 expected =
            keccak256(abi.encodePacked(bytes1(0xff), address(FACTORY), salt, FACTORY.initCodeHash()));
        vm.assertEq(FACTORY.getAddress(owners, 3), address(uint160(uint256(expected))));
        vm.assertEq(FACTORY.initCodeHash(), keccak256(type(SmartWallet).creationCode));
    }

    function test_createAccount_emits() public {
        bytes[] memory owners = _ownedBy(alice);
        vm.expectEmit(address(FACTORY));
        emit SmartWalletFactory.AccountCreated(FACTORY.getAddress(owners, 0), owners, 0);
        FACTORY.createAccount(owners, 0);
    }

    function test_createAccount_again_finds_the_same_wallet() public {
        bytes[] memory owners = _ownedBy(alice);
        SmartWallet first = FACTORY.createAccount(owners, 0);
        vm.prank(alice);
        first.addOwnerAddress(address(this));
        vm.recordLogs();
        vm.assertEq(address(FACTORY.createAccount(owners, 0)), address(first));
        vm.assertEq(vm.getRecordedLogs().length, 0);
        vm.assertEq(first.ownerCount(), 2);
    }

    function test_createAccount_hands_the_value_over_each_time() public {
        vm.deal(address(this), 3 ether);
        bytes[] memory owners = _ownedBy(alice);
        SmartWallet wallet = FACTORY.createAccount{value: 1 ether}(owners, 0);
        FACTORY.createAccount{value: 2 ether}(owners, 0);
        vm.assertEq(address(wallet).balance, 3 ether);
    }

    function test_createAccount_differs_by_nonce_and_owners() public view {
        address base = FACTORY.getAddress(_ownedBy(alice), 0);
        vm.assertNotEq(base, FACTORY.getAddress(_ownedBy(alice), 1));
        vm.assertNotEq(base, FACTORY.getAddress(_ownedBy(address(this)), 0));
    }

    function test_createAccount_takes_a_passkey() public {
        bytes[] memory owners = new bytes[](1);
        owners[0] = abi.encode(bytes32("x"), bytes32("y"));
        vm.assertTrue(FACTORY.createAccount(owners, 0).isOwnerPublicKey(bytes32("x"), bytes32("y")));
    }

    function test_createAccount_reverts_without_owners() public {
        vm.expectRevert(SmartWalletFactory.OwnerRequired.selector);
        FACTORY.createAccount(new bytes[](0), 0);
    }

    function test_createAccount_reverts_on_a_wrong_owner_and_leaves_nothing() public {
        bytes[] memory owners = new bytes[](1);
        owners[0] = hex"1234";
        vm.expectRevert(abi.encodeWithSelector(WalletOwners.InvalidOwnerBytesLength.selector, owners[0]));
        FACTORY.createAccount(owners, 0);
        vm.assertEq(FACTORY.getAddress(owners, 0).code.length, 0);
    }

    function test_created_wallet_cannot_be_initialized_again() public {
        SmartWallet wallet = FACTORY.createAccount(_ownedBy(alice), 0);
        bytes[] memory thief = _ownedBy(address(this));
        vm.expectRevert(SmartWallet.Initialized.selector);
        wallet.initialize(thief);
    }

    function _ownedBy(address owner) private pure returns (bytes[] memory owners) {
        owners = new bytes[](1);
        owners[0] = abi.encode(owner);
    }
}
