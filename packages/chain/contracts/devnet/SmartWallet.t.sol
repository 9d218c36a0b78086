// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IERC721Receiver} from "@openzeppelin/contracts/token/ERC721/IERC721Receiver.sol";
import {AgentRegistry} from "../registry/AgentRegistry.sol";
import {Test} from "../testing/Test.sol";
import {SmartWallet} from "./SmartWallet.sol";
import {WalletOwners} from "./WalletOwners.sol";

/// @dev What the wallet calls.
contract Target {
    uint256 public number;

    error Refused(uint256 given);

    function set(uint256 value) external payable {
        if (value == 13) revert Refused(value);
        number = value;
    }
}

contract SmartWalletTest is Test {
    bytes4 private constant VALID = 0x1626ba7e;
    bytes4 private constant INVALID = 0xffffffff;
    bytes32 private constant HASH = keccak256("hash");

    SmartWallet internal wallet;
    Target internal target;
    address internal alice;
    address internal bob;

    function setUp() public {
        alice = makeAddr("alice");
        bob = makeAddr("bob");
        target = new Target();
        wallet = _walletOf(_owners(abi.encode(alice), abi.encode(bob)));
    }

    // ---- Owners ----

    function test_initialize_sets_the_owners_in_order() public view {
        vm.assertEq(wallet.nextOwnerIndex(), 2);
        vm.assertEq(wallet.ownerCount(), 2);
        vm.assertEq(wallet.removedOwnersCount(), 0);
        vm.assertEq(wallet.ownerAtIndex(0), abi.encode(alice));
        vm.assertEq(wallet.ownerAtIndex(1), abi.encode(bob));
        vm.assertTrue(wallet.isOwnerAddress(alice));
        vm.assertTrue(wallet.isOwnerBytes(abi.encode(bob)));
        vm.assertFalse(wallet.isOwnerAddress(address(this)));
    }

    function test_initialize_emits() public {
        SmartWallet fresh = new SmartWallet();
        vm.expectEmit(address(fresh));
        emit WalletOwners.AddOwner(0, abi.encode(alice));
        vm.expectEmit(address(fresh));
        emit WalletOwners.AddOwner(1, abi.encode(bob));
        fresh.initialize(_owners(abi.encode(alice), abi.encode(bob)));
    }

    function test_initialize_reverts_the_second_time() public {
        bytes[] memory owners = _owners(abi.encode(alice), abi.encode(bob));
        vm.expectRevert(SmartWallet.Initialized.selector);
        wallet.initialize(owners);
    }

    function test_initialize_reverts_on_a_wrong_length() public {
        bytes memory owner = abi.encodePacked(alice);
        SmartWallet fresh = new SmartWallet();
        vm.expectRevert(abi.encodeWithSelector(WalletOwners.InvalidOwnerBytesLength.selector, owner));
        fresh.initialize(_owners(owner, abi.encode(bob)));
    }

    function test_initialize_reverts_on_bytes_that_are_no_address() public {
        bytes memory owner = abi.encode(uint256(type(uint160).max) + 1);
        SmartWallet fresh = new SmartWallet();
        vm.expectRevert(abi.encodeWithSelector(WalletOwners.InvalidEthereumAddressOwner.selector, owner));
        fresh.initialize(_owners(owner, abi.encode(bob)));
    }

    function test_initialize_reverts_on_the_same_owner_twice() public {
        SmartWallet fresh = new SmartWallet();
        vm.expectRevert(abi.encodeWithSelector(WalletOwners.AlreadyOwner.selector, abi.encode(alice)));
        fresh.initialize(_owners(abi.encode(alice), abi.encode(alice)));
    }

    function testFuzz_addOwnerAddress(address owner) public {
        vm.assume(owner != alice && owner != bob);
        vm.expectEmit(address(wallet));
        emit WalletOwners.AddOwner(2, abi.encode(owner));
        vm.prank(alice);
        wallet.addOwnerAddress(owner);
        vm.assertTrue(wallet.isOwnerAddress(owner));
        vm.assertEq(wallet.nextOwnerIndex(), 3);
    }

    function test_addOwnerAddress_reverts_for_a_known_owner_and_for_a_stranger() public {
        vm.expectRevert(abi.encodeWithSelector(WalletOwners.AlreadyOwner.selector, abi.encode(bob)));
        vm.prank(alice);
        wallet.addOwnerAddress(bob);
        vm.expectRevert(WalletOwners.Unauthorized.selector);
        wallet.addOwnerAddress(address(this));
    }

    function test_addOwnerPublicKey() public {
        vm.prank(alice);
        wallet.addOwnerPublicKey(bytes32("x"), bytes32("y"));
        vm.assertTrue(wallet.isOwnerPublicKey(bytes32("x"), bytes32("y")));
        vm.assertFalse(wallet.isOwnerPublicKey(bytes32("y"), bytes32("x")));
        vm.assertEq(wallet.ownerAtIndex(2), abi.encode(bytes32("x"), bytes32("y")));
        vm.expectRevert(WalletOwners.Unauthorized.selector);
        wallet.addOwnerPublicKey(bytes32("a"), bytes32("b"));
    }

    function test_owners_can_be_changed_by_the_wallet_itself() public {
        SmartWallet.Call[] memory calls = new SmartWallet.Call[](3);
        calls[0].data = abi.encodeCall(wallet.addOwnerAddress, (address(this)));
        calls[1].data = abi.encodeCall(wallet.addOwnerPublicKey, (bytes32("x"), bytes32("y")));
        calls[2].data = abi.encodeCall(wallet.removeOwnerAtIndex, (1, abi.encode(bob)));
        for (uint256 i; i < calls.length; ++i) {
            calls[i].target = address(wallet);
        }
        vm.prank(alice);
        wallet.executeBatch(calls);
        vm.assertTrue(wallet.isOwnerAddress(address(this)));
        vm.assertTrue(wallet.isOwnerPublicKey(bytes32("x"), bytes32("y")));
        vm.assertFalse(wallet.isOwnerAddress(bob));
    }

    function test_removeOwnerAtIndex_ends_the_owners_power() public {
        vm.expectEmit(address(wallet));
        emit WalletOwners.RemoveOwner(1, abi.encode(bob));
        vm.prank(alice);
        wallet.removeOwnerAtIndex(1, abi.encode(bob));
        vm.assertFalse(wallet.isOwnerAddress(bob));
        vm.assertEq(wallet.ownerAtIndex(1), "");
        vm.assertEq(wallet.ownerCount(), 1);
        vm.assertEq(wallet.removedOwnersCount(), 1);

        vm.expectRevert(WalletOwners.Unauthorized.selector);
        vm.prank(bob);
        wallet.execute(address(target), 0, "");
        bytes memory signature = _sign("bob", 1, HASH);
        vm.expectRevert(abi.encodeWithSelector(WalletOwners.InvalidOwnerBytesLength.selector, ""));
        wallet.isValidSignature(HASH, signature);
    }

    function test_removed_indexes_are_not_given_again() public {
        vm.startPrank(alice);
        wallet.removeOwnerAtIndex(1, abi.encode(bob));
        wallet.addOwnerAddress(bob);
        vm.stopPrank();
        vm.assertEq(wallet.ownerAtIndex(2), abi.encode(bob));
    }

    function test_removeOwnerAtIndex_reverts() public {
        vm.expectRevert(WalletOwners.Unauthorized.selector);
        wallet.removeOwnerAtIndex(1, abi.encode(bob));
        vm.startPrank(alice);
        vm.expectRevert(abi.encodeWithSelector(WalletOwners.NoOwnerAtIndex.selector, 5));
        wallet.removeOwnerAtIndex(5, abi.encode(bob));
        vm.expectRevert(
            abi.encodeWithSelector(WalletOwners.WrongOwnerAtIndex.selector, 1, abi.encode(alice), abi.encode(bob))
        );
        wallet.removeOwnerAtIndex(1, abi.encode(alice));
        wallet.removeOwnerAtIndex(1, abi.encode(bob));
        vm.expectRevert(WalletOwners.LastOwner.selector);
        wallet.removeOwnerAtIndex(0, abi.encode(alice));
        vm.stopPrank();
    }

    // ---- Calls ----

    function test_execute_by_each_owner() public {
        vm.deal(address(wallet), 1 ether);
        vm.prank(alice);
        wallet.execute(address(target), 0.4 ether, abi.encodeCall(target.set, (7)));
        vm.assertEq(target.number(), 7);
        vm.assertEq(address(target).balance, 0.4 ether);
        vm.prank(bob);
        wallet.execute(address(target), 0, abi.encodeCall(target.set, (8)));
        vm.assertEq(target.number(), 8);
    }

    function test_execute_pays_an_account_without_code() public {
        vm.deal(address(wallet), 1 ether);
        address payee = makeAddr("payee");
        vm.prank(alice);
        wallet.execute(payee, 1 ether, "");
        vm.assertEq(payee.balance, 1 ether);
    }

    function test_execute_reverts_for_a_stranger() public {
        vm.expectRevert(WalletOwners.Unauthorized.selector);
        wallet.execute(address(target), 0, abi.encodeCall(target.set, (7)));
    }

    function test_execute_passes_the_reason_on() public {
        vm.expectRevert(abi.encodeWithSelector(Target.Refused.selector, 13));
        vm.prank(alice);
        wallet.execute(address(target), 0, abi.encodeCall(target.set, (13)));
    }

    function test_executeBatch_is_all_or_nothing() public {
        SmartWallet.Call[] memory calls = new SmartWallet.Call[](2);
        calls[0] = SmartWallet.Call(address(target), 0, abi.encodeCall(target.set, (7)));
        calls[1] = SmartWallet.Call(address(target), 0, abi.encodeCall(target.set, (13)));
        vm.expectRevert(abi.encodeWithSelector(Target.Refused.selector, 13));
        vm.prank(alice);
        wallet.executeBatch(calls);
        vm.assertEq(target.number(), 0);

        calls[1].data = abi.encodeCall(target.set, (9));
        vm.prank(alice);
        wallet.executeBatch(calls);
        vm.assertEq(target.number(), 9);
    }

    function test_calls_can_be_made_by_the_wallet_itself() public {
        bytes memory call = abi.encodeCall(wallet.execute, (address(target), 0, abi.encodeCall(target.set, (7))));
        SmartWallet.Call[] memory calls = new SmartWallet.Call[](1);
        calls[0] = SmartWallet.Call(address(wallet), 0, call);
        vm.prank(alice);
        wallet.execute(address(wallet), 0, abi.encodeCall(wallet.executeBatch, (calls)));
        vm.assertEq(target.number(), 7);
    }

    function test_executeBatch_reverts_for_a_stranger() public {
        vm.expectRevert(WalletOwners.Unauthorized.selector);
        wallet.executeBatch(new SmartWallet.Call[](0));
    }

    function test_wallet_takes_ether_and_agents() public {
        vm.deal(address(this), 1 ether);
        (bool sent,) = address(wallet).call{value: 1 ether}("");
        vm.assertTrue(sent);
        AgentRegistry registry = new AgentRegistry();
        vm.prank(alice);
        wallet.execute(address(registry), 0, abi.encodeWithSignature("register()"));
        vm.assertEq(registry.ownerOf(0), address(wallet));
        vm.assertEq(
            bytes32(wallet.onERC721Received(alice, alice, 0, "")), bytes32(IERC721Receiver.onERC721Received.selector)
        );
    }

    // ---- Signatures ----

    function test_replaySafeHash_is_the_typed_data_of_the_coinbase_wallet() public view {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("Coinbase Smart Wallet"),
                keccak256("1"),
                block.chainid,
                address(wallet)
            )
        );
        bytes32 structHash = keccak256(abi.encode(keccak256("CoinbaseSmartWalletMessage(bytes32 hash)"), HASH));
        vm.assertEq(wallet.domainSeparator(), domain);
        vm.assertEq(wallet.replaySafeHash(HASH), keccak256(abi.encodePacked("\x19\x01", domain, structHash)));
        (bytes1 fields, string memory name, string memory version, uint256 chainId, address verifier,,) =
            wallet.eip712Domain();
        vm.assertEq(bytes32(fields), bytes32(bytes1(0x0f)));
        vm.assertEq(name, "Coinbase Smart Wallet");
        vm.assertEq(version, "1");
        vm.assertEq(chainId, block.chainid);
        vm.assertEq(verifier, address(wallet));
    }

    function testFuzz_isValidSignature_of_each_owner(bytes32 hash) public view {
        _assertAnswer(VALID, hash, _sign("alice", 0, hash));
        _assertAnswer(VALID, hash, _sign("bob", 1, hash));
        _assertAnswer(INVALID, hash, _sign("alice", 1, hash));
        _assertAnswer(INVALID, hash, _sign("mallory", 0, hash));
        _assertAnswer(INVALID, keccak256(abi.encode(hash)), _sign("alice", 0, hash));
    }

    function test_isValidSignature_of_an_owner_that_is_a_wallet() public {
        SmartWallet outer = _walletOf(_owners(abi.encode(address(wallet)), abi.encode(address(target))));
        bytes32 innerHash = wallet.replaySafeHash(outer.replaySafeHash(HASH));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(makeKey("alice"), innerHash);
        bytes memory inner = abi.encode(SmartWallet.SignatureWrapper(0, abi.encodePacked(r, s, v)));
        bytes4 answer = outer.isValidSignature(HASH, abi.encode(SmartWallet.SignatureWrapper(0, inner)));
        vm.assertEq(bytes32(answer), bytes32(VALID));
        answer = outer.isValidSignature(HASH, abi.encode(SmartWallet.SignatureWrapper(1, inner)));
        vm.assertEq(bytes32(answer), bytes32(INVALID));
    }

    function test_isValidSignature_serves_one_wallet_only() public {
        SmartWallet other = _walletOf(_owners(abi.encode(alice), abi.encode(bob)));
        bytes4 answer = other.isValidSignature(HASH, _sign("alice", 0, HASH));
        vm.assertEq(bytes32(answer), bytes32(INVALID));
    }

    function test_isValidSignature_serves_one_chain_only() public {
        bytes memory signature = _sign("alice", 0, HASH);
        vm.chainId(8453);
        _assertAnswer(INVALID, HASH, signature);
    }

    function test_isValidSignature_reverts_for_a_passkey() public {
        SmartWallet keyed = _walletOf(_owners(abi.encode(alice), abi.encode(bytes32("x"), bytes32("y"))));
        bytes memory signature = abi.encode(SmartWallet.SignatureWrapper(1, new bytes(65)));
        vm.expectRevert(abi.encodeWithSelector(SmartWallet.PasskeySignatureNotSupported.selector, 1));
        keyed.isValidSignature(HASH, signature);
    }

    function test_isValidSignature_reverts_for_an_unknown_index_and_for_noise() public {
        bytes memory signature = _sign("alice", 9, HASH);
        vm.expectRevert(abi.encodeWithSelector(WalletOwners.InvalidOwnerBytesLength.selector, ""));
        wallet.isValidSignature(HASH, signature);
        vm.expectRevert();
        wallet.isValidSignature(HASH, hex"1234");
    }

    function _assertAnswer(bytes4 expected, bytes32 hash, bytes memory signature) private view {
        vm.assertEq(bytes32(wallet.isValidSignature(hash, signature)), bytes32(expected));
    }

    function _sign(string memory who, uint256 ownerIndex, bytes32 hash) private view returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(makeKey(who), wallet.replaySafeHash(hash));
        return abi.encode(SmartWallet.SignatureWrapper(ownerIndex, abi.encodePacked(r, s, v)));
    }

    function _walletOf(bytes[] memory owners) private returns (SmartWallet created) {
        created = new SmartWallet();
        created.initialize(owners);
    }

    function _owners(bytes memory first, bytes memory second) private pure returns (bytes[] memory owners) {
        owners = new bytes[](2);
        (owners[0], owners[1]) = (first, second);
    }
}
