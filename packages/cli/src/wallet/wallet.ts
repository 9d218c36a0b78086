import type { Signer } from '@agent-marketplace/sdk'
import type { Address } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { CommandError } from '../exit-codes.ts'
import type { Home } from '../home.ts'
import type { Terminal } from '../terminal.ts'
import { type KeyFile, unlockKey } from './keystore.ts'
import { askPassword } from './password.ts'
import { signerOfCommand } from './signer-command.ts'

/** Whose wallet signs: that of the key file, or the one of a command. */
export interface Wallet {
  address: Address
  signerCommand?: string | undefined
}

export const KEY_FILE = 'keystore'

/** The key file is opened at the first signature: with a session that still holds, nobody enters a password. */
export function openSigner(terminal: Terminal, home: Home, { address, signerCommand }: Wallet): Signer {
  if (signerCommand !== undefined) return signerOfCommand(signerCommand, address, terminal.environment)
  let opened: Promise<Signer> | undefined
  const open = () => {
    opened ??= unlock(terminal, home)
    return opened
  }
  return {
    address,
    signMessage: async (parameters) => (await open()).signMessage(parameters),
    signTypedData: async (typedData) => (await open()).signTypedData(typedData),
  }
}

async function unlock(terminal: Terminal, home: Home): Promise<Signer> {
  const file = home.read<KeyFile>(KEY_FILE)
  if (!file) throw new CommandError('signIn', `The key file ${home.pathOf(KEY_FILE)} is gone.`)
  const password = await askPassword(terminal, 'Password of the key file: ')
  return privateKeyToAccount(unlockKey(file, password))
}
