// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";

/// @title FiatToken
///
/// @notice The ledger of the USDC stand-in: ERC-20 with six decimals, minters with an allowance, a blacklist and a
///         pause.
///
/// @dev It answers with USDC's own revert strings, because payment libraries read their meaning from the text. USDC
///      spreads the roles over several accounts; on a devnet one owner holds them all.
abstract contract FiatToken is IERC20Metadata {
    string public constant name = "USDC";
    string public constant symbol = "USDC";
    string public constant currency = "USD";
    uint8 public constant decimals = 6;

    /// @notice Who configures minters, blacklists accounts and pauses the token.
    address public immutable owner;

    /// @notice Whether everything that moves or approves money is halted.
    bool public paused;

    uint256 public totalSupply;
    mapping(address account => uint256 balance) public balanceOf;
    mapping(address holder => mapping(address spender => uint256 value)) public allowance;
    mapping(address account => bool listed) public isBlacklisted;
    mapping(address account => bool allowed) public isMinter;
    mapping(address minter => uint256 remaining) public minterAllowance;

    /// @notice New tokens were issued.
    event Mint(address indexed minter, address indexed to, uint256 amount);

    /// @notice Tokens were destroyed.
    event Burn(address indexed burner, uint256 amount);

    /// @notice A minter was given an allowance.
    event MinterConfigured(address indexed minter, uint256 minterAllowedAmount);

    /// @notice A minter lost its role.
    event MinterRemoved(address indexed oldMinter);

    /// @notice An account was barred from every transfer.
    event Blacklisted(address indexed account);

    /// @notice An account may transfer again.
    event UnBlacklisted(address indexed account);

    /// @notice The token was halted.
    event Pause();

    /// @notice The token runs again.
    event Unpause();

    modifier whenNotPaused() {
        require(!paused, "Pausable: paused");
        _;
    }

    modifier notBlacklisted(address account) {
        require(!isBlacklisted[account], "Blacklistable: account is blacklisted");
        _;
    }

    /// @param owner_ Holds every role, and is the first minter, without a limit.
    constructor(address owner_) {
        require(owner_ != address(0), "FiatToken: new owner is the zero address");
        owner = owner_;
        _configureMinter(owner_, type(uint256).max);
    }

    /// @notice Moves tokens of the caller.
    function transfer(address to, uint256 value)
        external
        whenNotPaused
        notBlacklisted(msg.sender)
        notBlacklisted(to)
        returns (bool)
    {
        _transfer(msg.sender, to, value);
        return true;
    }

    /// @notice Moves tokens within the allowance that `from` gave to the caller.
    function transferFrom(address from, address to, uint256 value)
        external
        whenNotPaused
        notBlacklisted(msg.sender)
        notBlacklisted(from)
        notBlacklisted(to)
        returns (bool)
    {
        uint256 allowed = allowance[from][msg.sender];
        require(value <= allowed, "ERC20: transfer amount exceeds allowance");
        _transfer(from, to, value);
        allowance[from][msg.sender] = allowed - value;
        return true;
    }

    /// @notice Lets `spender` move up to `value` of the caller's tokens.
    function approve(address spender, uint256 value) external whenNotPaused returns (bool) {
        _approve(msg.sender, spender, value);
        return true;
    }

    /// @notice Issues tokens within the caller's minter allowance.
    function mint(address to, uint256 amount)
        external
        whenNotPaused
        notBlacklisted(msg.sender)
        notBlacklisted(to)
        returns (bool)
    {
        require(isMinter[msg.sender], "FiatToken: caller is not a minter");
        require(to != address(0), "FiatToken: mint to the zero address");
        require(amount > 0, "FiatToken: mint amount not greater than 0");
        uint256 remaining = minterAllowance[msg.sender];
        require(amount <= remaining, "FiatToken: mint amount exceeds minterAllowance");

        minterAllowance[msg.sender] = remaining - amount;
        totalSupply += amount;
        balanceOf[to] += amount;
        emit Mint(msg.sender, to, amount);
        emit Transfer(address(0), to, amount);
        return true;
    }

    /// @notice Destroys tokens of the caller, who is a minter.
    function burn(uint256 amount) external whenNotPaused notBlacklisted(msg.sender) {
        require(isMinter[msg.sender], "FiatToken: caller is not a minter");
        require(amount > 0, "FiatToken: burn amount not greater than 0");
        uint256 balance = balanceOf[msg.sender];
        require(amount <= balance, "FiatToken: burn amount exceeds balance");

        balanceOf[msg.sender] = balance - amount;
        totalSupply -= amount;
        emit Burn(msg.sender, amount);
        emit Transfer(msg.sender, address(0), amount);
    }

    /// @notice Makes an account a minter, or changes how much it may still issue.
    function configureMinter(address minter, uint256 minterAllowedAmount) external whenNotPaused returns (bool) {
        require(msg.sender == owner, "FiatToken: caller is not the masterMinter");
        _configureMinter(minter, minterAllowedAmount);
        return true;
    }

    /// @notice Takes the minter role away.
    function removeMinter(address minter) external returns (bool) {
        require(msg.sender == owner, "FiatToken: caller is not the masterMinter");
        isMinter[minter] = false;
        minterAllowance[minter] = 0;
        emit MinterRemoved(minter);
        return true;
    }

    /// @notice Bars an account from sending, receiving and moving tokens.
    function blacklist(address account) external {
        _setBlacklisted(account, true);
        emit Blacklisted(account);
    }

    /// @notice Lifts the bar again.
    function unBlacklist(address account) external {
        _setBlacklisted(account, false);
        emit UnBlacklisted(account);
    }

    /// @notice Halts the token.
    function pause() external {
        _setPaused(true);
        emit Pause();
    }

    /// @notice Lets the token run again.
    function unpause() external {
        _setPaused(false);
        emit Unpause();
    }

    function _transfer(address from, address to, uint256 value) internal {
        require(from != address(0), "ERC20: transfer from the zero address");
        require(to != address(0), "ERC20: transfer to the zero address");
        uint256 balance = balanceOf[from];
        require(value <= balance, "ERC20: transfer amount exceeds balance");

        balanceOf[from] = balance - value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }

    function _approve(address holder, address spender, uint256 value) internal {
        require(holder != address(0), "ERC20: approve from the zero address");
        require(spender != address(0), "ERC20: approve to the zero address");
        allowance[holder][spender] = value;
        emit Approval(holder, spender, value);
    }

    function _configureMinter(address minter, uint256 minterAllowedAmount) private {
        isMinter[minter] = true;
        minterAllowance[minter] = minterAllowedAmount;
        emit MinterConfigured(minter, minterAllowedAmount);
    }

    function _setBlacklisted(address account, bool listed) private {
        require(msg.sender == owner, "Blacklistable: caller is not the blacklister");
        isBlacklisted[account] = listed;
    }

    function _setPaused(bool halted) private {
        require(msg.sender == owner, "Pausable: caller is not the pauser");
        paused = halted;
    }
}
