import { generatePrivateKey } from 'viem/accounts'
import { type Context, defineCommand } from '../command.ts'
import { CommandError } from '../exit-codes.ts'
import { openMarketplace } from '../open-marketplace.ts'
import { changeSettings, readSettings } from '../settings.ts'
import { addressOf, type KeyFile, lockKey, readPrivateKey, unlockKey } from '../wallet/keystore.ts'
import { askNewPassword, askPassword } from '../wallet/password.ts'
import { addressOfCommand } from '../wallet/signer-command.ts'
import { KEY_FILE, type Wallet } from '../wallet/wallet.ts'

export const login = defineCommand({
  name: 'login',
  summary: 'Sign in with a wallet: a new one, one of yours, or one that another program signs for',
  arguments: [],
  options: {
    create: { summary: 'Make a new wallet, and keep its key encrypted' },
    import: { summary: 'Keep a key of yours encrypted: a private key or a key file, typed or piped in' },
    'signer-command': {
      takes: 'command',
      summary: 'A program that signs, such as one for a hardware wallet',
    },
  },
  async run(context, _, values) {
    const wallet = await chooseWallet(context, values)
    changeSettings(context.home, { url: context.url, wallet })
    const session = await openMarketplace(context).signIn({ signal: context.terminal.signal })
    const expiresAt = new Date(session.expiresAtMs).toISOString()
    const result = { url: context.url, walletAddress: wallet.address, expiresAt }
    context.show(result, () => `Signed in at ${context.url} as ${wallet.address}, until ${expiresAt}.`)
  },
})

interface Choice {
  create?: boolean | undefined
  import?: boolean | undefined
  'signer-command'?: string | undefined
}

async function chooseWallet(context: Context, choice: Choice): Promise<Wallet> {
  const { 'signer-command': signerCommand, create, import: isImport } = choice
  if ([signerCommand, create, isImport].filter(Boolean).length > 1)
    throw new CommandError('usage', 'Give one of --create, --import and --signer-command.')
  if (signerCommand)
    return { address: await addressOfCommand(signerCommand, context.terminal.environment), signerCommand }
  if (isImport) return importKey(context)
  const { wallet } = readSettings(context.home)
  if (wallet && !create) return wallet
  const { terminal } = context
  if (!create && !terminal.isInteractive)
    throw new CommandError('usage', 'There is no wallet yet. Give --create, --import or --signer-command.')
  if (!create && !/^(?:y|yes|)$/i.test(await terminal.ask('There is no wallet yet. Make a new one? [Y/n] ')))
    throw new CommandError('usage', 'Then give --import or --signer-command.')
  return createKey(context)
}

async function createKey(context: Context): Promise<Wallet> {
  refuseSecondKey(context)
  const password = await askNewPassword(context.terminal)
  const privateKey = generatePrivateKey()
  return keep(context, lockKey(privateKey, password), addressOf(privateKey))
}

async function importKey(context: Context): Promise<Wallet> {
  refuseSecondKey(context)
  const { terminal } = context
  const written = await (terminal.isInteractive
    ? terminal.askSecret('Private key, or the JSON of a key file: ')
    : terminal.readInput())
  if (written.trimStart().startsWith('{')) {
    const file = keyFileFrom(written)
    if (file.version !== 3 || typeof file.crypto !== 'object')
      throw new CommandError('usage', 'This is no key file of an Ethereum wallet, version 3.')
    const password = await askPassword(terminal, 'Password of this key file: ')
    return keep(context, file, addressOf(unlockKey(file, password)))
  }
  const privateKey = readPrivateKey(written)
  return keep(context, lockKey(privateKey, await askNewPassword(terminal)), addressOf(privateKey))
}

/** What was entered is not repeated in an error, in whole or in part: it may be a key after all. */
function keyFileFrom(written: string): KeyFile {
  try {
    return JSON.parse(written)
  } catch {
    throw new CommandError('usage', 'This is no key file: it is not JSON.')
  }
}

/** A key that is replaced is lost, and what its wallet holds with it. */
function refuseSecondKey({ home }: Context): void {
  if (home.read(KEY_FILE) !== undefined)
    throw new CommandError('usage', `There is a key in ${home.pathOf(KEY_FILE)}. Move it away first.`)
}

function keep({ home, terminal }: Context, file: KeyFile, address: Wallet['address']): Wallet {
  home.writeNew(KEY_FILE, file)
  terminal.note(`The key of ${address} is in ${home.pathOf(KEY_FILE)}, encrypted. Back it up.`)
  return { address }
}
