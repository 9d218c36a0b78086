// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Base64} from "@openzeppelin/contracts/utils/Base64.sol";
import {P256} from "@openzeppelin/contracts/utils/cryptography/P256.sol";
import {Test} from "../testing/Test.sol";
import {PasskeyWallet} from "./PasskeyWallet.sol";
import {PasskeyWalletFactory} from "./PasskeyWalletFactory.sol";
import {WalletOwners} from "./WalletOwners.sol";

/// @dev What the wallet calls.
contract PasskeyTarget {
    uint256 public number;

    error Refused(uint256 given);

    function set(uint256 value) external payable {
        if (value == 13) revert Refused(value);
        number = value;
    }
}

contract PasskeyWalletTest is Test {
    bytes4 private constant VALID = 0x1626ba7e;
    bytes4 private constant INVALID = 0xffffffff;
    bytes32 private constant HASH = keccak256("hash");
    /// @dev The flags of an authenticator: the user was present, and the device asked for a PIN or a finger.
    bytes1 private constant PRESENT = 0x01;
    bytes1 private constant VERIFIED = 0x04;

    PasskeyWalletFactory internal factory;
    PasskeyWallet internal wallet;
    PasskeyTarget internal target;
    address internal alice;

    function setUp() public {
        alice = makeAddr("alice");
        target = new PasskeyTarget();
        factory = new PasskeyWalletFactory();
        wallet = factory.createAccount(_owners(_passkey("phone"), abi.encode(alice)), 0);
    }

    // ---- The shared code ----

    function test_nobody_can_take_the_implementation() public {
        PasskeyWallet implementation = PasskeyWallet(payable(factory.IMPLEMENTATION()));
        bytes[] memory thief = _owners(abi.encode(address(this)), abi.encode(alice));
        vm.expectRevert(PasskeyWallet.Initialized.selector);
        implementation.initialize(thief);
        vm.expectRevert(WalletOwners.Unauthorized.selector);
        implementation.execute(address(target), 0, abi.encodeCall(target.set, (7)));
        vm.assertFalse(implementation.isOwnerAddress(address(this)));
        vm.assertFalse(wallet.isOwnerAddress(address(0)));
    }

    function test_nobody_signs_for_the_implementation() public view {
        PasskeyWallet implementation = PasskeyWallet(payable(factory.IMPLEMENTATION()));
        bytes memory signature = abi.encode(PasskeyWallet.SignatureWrapper(0, new bytes(65)));
        vm.assertEq(bytes32(implementation.isValidSignature(HASH, signature)), bytes32(INVALID));
    }

    // ---- Creation ----

    function testFuzz_createAccount_lands_where_getAddress_says(address owner, uint256 nonce) public {
        vm.assume(owner != alice);
        bytes[] memory owners = _owners(abi.encode(owner), abi.encode(alice));
        address predicted = factory.getAddress(owners, nonce);
        vm.assertEq(predicted.code.length, 0);
        vm.expectEmit(address(factory));
        emit PasskeyWalletFactory.AccountCreated(predicted, owners, nonce);
        PasskeyWallet created = factory.createAccount(owners, nonce);
        vm.assertEq(address(created), predicted);
        vm.assertTrue(created.isOwnerAddress(owner));
        vm.assertEq(created.ownerCount(), 2);
    }

    function test_createAccount_again_finds_the_same_wallet() public {
        vm.recordLogs();
        PasskeyWallet again = factory.createAccount(_owners(_passkey("phone"), abi.encode(alice)), 0);
        vm.assertEq(address(again), address(wallet));
        vm.assertEq(vm.getRecordedLogs().length, 0);
    }

    function test_createAccount_reverts_without_owners() public {
        vm.expectRevert(PasskeyWalletFactory.OwnerRequired.selector);
        factory.createAccount(new bytes[](0), 0);
    }

    function test_created_wallet_cannot_be_initialized_again() public {
        bytes[] memory thief = _owners(abi.encode(address(this)), abi.encode(alice));
        vm.expectRevert(PasskeyWallet.Initialized.selector);
        wallet.initialize(thief);
    }

    // ---- Calls ----

    function test_execute_by_an_account_among_the_owners() public {
        vm.deal(address(wallet), 1 ether);
        vm.prank(alice);
        wallet.execute(address(target), 0.4 ether, abi.encodeCall(target.set, (7)));
        vm.assertEq(target.number(), 7);
        vm.assertEq(address(target).balance, 0.4 ether);
    }

    function test_execute_by_the_wallet_itself() public {
        bytes memory call = abi.encodeCall(wallet.execute, (address(target), 0, abi.encodeCall(target.set, (7))));
        vm.prank(alice);
        wallet.execute(address(wallet), 0, call);
        vm.assertEq(target.number(), 7);
    }

    function test_execute_reverts_for_a_stranger_and_passes_the_reason_on() public {
        vm.expectRevert(WalletOwners.Unauthorized.selector);
        wallet.execute(address(target), 0, abi.encodeCall(target.set, (7)));
        vm.expectRevert(abi.encodeWithSelector(PasskeyTarget.Refused.selector, 13));
        vm.prank(alice);
        wallet.execute(address(target), 0, abi.encodeCall(target.set, (13)));
    }

    // ---- Signatures ----

    function testFuzz_isValidSignature_of_a_passkey(bytes32 hash) public view {
        _assertResult(VALID, hash, _signAs("phone", hash, PRESENT | VERIFIED));
        _assertResult(VALID, hash, _signAs("phone", hash, PRESENT));
        _assertResult(INVALID, hash, _signAs("another phone", hash, PRESENT | VERIFIED));
        _assertResult(INVALID, keccak256(abi.encode(hash)), _signAs("phone", hash, PRESENT | VERIFIED));
    }

    function test_isValidSignature_needs_somebody_present() public view {
        _assertResult(INVALID, HASH, _signAs("phone", HASH, VERIFIED));
    }

    function testFuzz_isValidSignature_of_an_account(bytes32 hash) public view {
        _assertResult(VALID, hash, _signByKey("alice", hash));
        _assertResult(INVALID, hash, _signByKey("mallory", hash));
    }

    function test_isValidSignature_rejects_another_kind_of_client_data() public view {
        bytes32 bound = wallet.replaySafeHash(HASH);
        string memory json = _clientData("webauthn.new", bound);
        _assertResult(INVALID, HASH, _signClientData("phone", json, PRESENT | VERIFIED));
    }

    function test_isValidSignature_rejects_the_mirrored_signature() public view {
        bytes memory data = _passkeyData("phone", _clientData("webauthn.get", wallet.replaySafeHash(HASH)), PRESENT);
        PasskeyWallet.PasskeySignature memory signed = abi.decode(data, (PasskeyWallet.PasskeySignature));
        signed.s = P256.N - signed.s;
        _assertResult(INVALID, HASH, abi.encode(PasskeyWallet.SignatureWrapper(0, abi.encode(signed))));
    }

    function test_isValidSignature_serves_one_wallet_and_one_chain_only() public {
        PasskeyWallet other = factory.createAccount(_owners(_passkey("phone"), abi.encode(alice)), 1);
        bytes memory signature = _signAs("phone", HASH, PRESENT | VERIFIED);
        vm.assertEq(bytes32(other.isValidSignature(HASH, signature)), bytes32(INVALID));
        vm.chainId(8453);
        _assertResult(INVALID, HASH, signature);
    }

    function test_isValidSignature_reverts_for_an_unknown_index_and_for_noise() public {
        bytes memory signature = abi.encode(PasskeyWallet.SignatureWrapper(9, new bytes(65)));
        vm.expectRevert(abi.encodeWithSelector(WalletOwners.InvalidOwnerBytesLength.selector, ""));
        wallet.isValidSignature(HASH, signature);
        vm.expectRevert();
        wallet.isValidSignature(HASH, hex"1234");
    }

    function _assertResult(bytes4 expected, bytes32 hash, bytes memory signature) private view {
        vm.assertEq(bytes32(wallet.isValidSignature(hash, signature)), bytes32(expected));
    }

    function _signByKey(string memory who, bytes32 hash) private view returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(makeKey(who), wallet.replaySafeHash(hash));
        return abi.encode(PasskeyWallet.SignatureWrapper(1, abi.encodePacked(r, s, v)));
    }

    function _signAs(string memory device, bytes32 hash, bytes1 flags) private view returns (bytes memory) {
        return _signClientData(device, _clientData("webauthn.get", wallet.replaySafeHash(hash)), flags);
    }

    function _signClientData(string memory device, string memory json, bytes1 flags)
        private
        pure
        returns (bytes memory)
    {
        return abi.encode(PasskeyWallet.SignatureWrapper(0, _passkeyData(device, json, flags)));
    }

    /// @dev What a browser returns, with the lower of the two values that `s` may have.
    function _passkeyData(string memory device, string memory json, bytes1 flags)
        private
        pure
        returns (bytes memory)
    {
        bytes memory authenticator = abi.encodePacked(sha256("localhost"), flags, uint32(0));
        (bytes32 r, bytes32 s) =
            vm.signP256(_p256Key(device), sha256(abi.encodePacked(authenticator, sha256(bytes(json)))));
        uint256 low = uint256(s) > P256.N / 2 ? P256.N - uint256(s) : uint256(s);
        return abi.encode(PasskeyWallet.PasskeySignature(authenticator, json, 23, 1, uint256(r), low));
    }

    /// @dev The type is at index 1, the challenge at 23.
    function _clientData(string memory kind, bytes32 challenge) private pure returns (string memory) {
        string memory text = Base64.encodeURL(abi.encodePacked(challenge));
        return string.concat('{"type":"', kind, '","challenge":"', text, '","origin":"http://localhost"}');
    }

    function _passkey(string memory device) private pure returns (bytes memory) {
        (uint256 x, uint256 y) = vm.publicKeyP256(_p256Key(device));
        return abi.encode(x, y);
    }

    function _p256Key(string memory device) private pure returns (uint256) {
        return makeKey(device) % P256.N;
    }

    function _owners(bytes memory first, bytes memory second) private pure returns (bytes[] memory owners) {
        owners = new bytes[](2);
        (owners[0], owners[1]) = (first, second);
    }
}
