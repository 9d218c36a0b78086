import { randomBytes, scryptSync } from 'node:crypto'
import { Keystore } from 'ox'
import { type Address, bytesToHex, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { CommandError } from '../exit-codes.ts'

/** What geth uses: 256 MiB for each guess of a password. */
const HARDNESS = { n: 262_144, r: 8, p: 1 }
const MOST_MEMORY_BYTES = 512 * 1024 * 1024
/** For each unit of the block size: OpenSSL holds to this limit of the definition, other programs do not. */
const MOST_DOUBLINGS = 16
const SHORTEST_PASSWORD = 8

type ScryptParams = Pick<Keystore.ScryptDeriveOpts['kdfparams'], 'n' | 'r' | 'p' | 'salt'>

/** The file format of Ethereum wallets (Web3 Secret Storage, version 3), so that the key can move to other programs. */
export type KeyFile = Keystore.Keystore & { address?: string }

export function lockKey(privateKey: Hex, password: string): KeyFile {
  if ([...password].length < SHORTEST_PASSWORD)
    throw new CommandError('usage', `A password needs at least ${SHORTEST_PASSWORD} characters.`)
  const kdfparams = { ...HARDNESS, dklen: 32, salt: randomBytes(32).toString('hex') }
  const options = { kdf: 'scrypt' as const, kdfparams, iv: randomBytes(16) }
  const address = privateKeyToAccount(privateKey).address.slice(2).toLowerCase()
  return { address, ...Keystore.encrypt(privateKey, keyFrom(password, kdfparams), options) }
}

export function unlockKey(file: KeyFile, password: string): Hex {
  try {
    const { kdfparams } = file.crypto
    const isQuick = 'n' in kdfparams && Math.log2(kdfparams.n) < MOST_DOUBLINGS * kdfparams.r
    return Keystore.decrypt(file, isQuick ? keyFrom(password, kdfparams) : Keystore.toKey(file, { password }))
  } catch (cause) {
    throw new CommandError('signIn', 'The password does not open the key file.', { cause })
  }
}

/** By Node, which is several times quicker than the library. */
function keyFrom(password: string, { n: N, r, p, salt }: ScryptParams): Hex {
  return bytesToHex(
    scryptSync(password, Buffer.from(salt, 'hex'), 32, { N, r, p, maxmem: MOST_MEMORY_BYTES }),
  )
}

/** A private key that was pasted or piped in, with or without 0x. */
export function readPrivateKey(written: string): Hex {
  const digits = written.trim().replace(/^0x/i, '')
  // The key itself is not repeated: what is printed stays in logs.
  if (!/^[0-9a-f]{64}$/i.test(digits))
    throw new CommandError('usage', 'A private key is 64 hexadecimal digits, or the JSON of a key file.')
  return `0x${digits.toLowerCase()}`
}

export const addressOf = (privateKey: Hex): Address => privateKeyToAccount(privateKey).address
