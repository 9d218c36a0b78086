import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifyMessage, verifyTypedData } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addressOf, lockKey, readPrivateKey, unlockKey } from './keystore.ts'
import { addressOfCommand, signerEnvironment, signerOfCommand } from './signer-command.ts'

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'cli-wallet-'))
})
afterAll(() => rmSync(directory, { recursive: true }))

test('a key file opens with its password alone, and does not show its key', () => {
  const key = generatePrivateKey()
  const file = lockKey(key, 'correct horse')
  expect(file).toMatchObject({ version: 3, crypto: { kdf: 'scrypt', kdfparams: { n: 262_144, r: 8, p: 1 } } })
  expect(JSON.stringify(file)).not.toContain(key.slice(2))
  expect(unlockKey(file, 'correct horse')).toBe(key)
  expect(() => unlockKey(file, 'correct house')).toThrow('does not open')
  expect(() => lockKey(key, 'short')).toThrow('at least 8')
})

test('opens the key file that the format’s own documents show', () => {
  // The scrypt example of the Web3 Secret Storage definition.
  const file = {
    version: 3 as const,
    id: '3198bc9c-6672-5ab3-d995-4942343ae5b6',
    crypto: {
      cipher: 'aes-128-ctr' as const,
      cipherparams: { iv: '83dbcc02d8ccb40e466191a123791e0e' },
      ciphertext: 'd172bf743a674da9cdad04534d56926ef8358534d458fffccd4e6ad2fbde479c',
      kdf: 'scrypt' as const,
      kdfparams: {
        dklen: 32,
        n: 262_144,
        p: 8,
        r: 1,
        salt: 'ab0c7876052600dd703518d6fc3fe8984592145b591fc8fb5c6d43190334ba19',
      },
      mac: '2103ac29920d71da29f15d75b4a16dbe95cfd7ff8faea1056c33131d846e3097',
    },
  }
  expect(unlockKey(file, 'testpassword')).toBe(
    '0x7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d',
  )
})

test('a private key is taken with or without 0x, and never repeated in an error', () => {
  const key = generatePrivateKey()
  expect(readPrivateKey(`${key.slice(2).toUpperCase()}\n`)).toBe(key)
  const wrong = `${key}00`
  expect(() => readPrivateKey(wrong)).toThrow(/^(?!.*0x).*64 hexadecimal digits/)
})

test('another program signs: it gets what is signed on its input, as wallets take it', async () => {
  const key = generatePrivateKey()
  const program = join(directory, 'signer.mjs')
  writeFileSync(
    program,
    `import { text } from 'node:stream/consumers'
import { privateKeyToAccount } from ${JSON.stringify(import.meta.resolve('viem/accounts'))}
const account = privateKeyToAccount(${JSON.stringify(key)})
const { method, message, typedData } = JSON.parse(await text(process.stdin))
if (method === 'address') console.log(JSON.stringify({ address: account.address.toLowerCase() }))
if (method === 'signMessage') console.log(JSON.stringify({ signature: await account.signMessage({ message }) }))
if (method === 'signTypedData') console.log(JSON.stringify({ signature: await account.signTypedData(typedData) }))
`,
  )
  const command = `"${process.execPath}" "${program}"`
  const address = await addressOfCommand(command, {})
  expect(address).toBe(addressOf(key))
  const signer = signerOfCommand(command, address, {})
  const signature = await signer.signMessage({ message: 'hello' })
  expect(await verifyMessage({ address, message: 'hello', signature })).toBe(true)
  const typedData = {
    domain: { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: address },
    types: { Note: [{ name: 'text', type: 'string' }] },
    primaryType: 'Note' as const,
    message: { text: 'hello' },
  }
  const typed = await signer.signTypedData(typedData)
  expect(await verifyTypedData({ address, ...typedData, signature: typed })).toBe(true)
})

test('a signer command gets none of our secrets', () => {
  const secrets = { AGENT_MARKETPLACE_PASSWORD: 'a', AGENT_MARKETPLACE_PASSWORD_FILE: 'b' }
  expect(signerEnvironment({ ...secrets, AGENT_MARKETPLACE_API_KEY: 'c', PATH: '/bin' })).toEqual({
    PATH: '/bin',
  })
})

test.each([
  ['exit 3', 'failed (3)'],
  ['echo no', 'did not return JSON'],
  ['echo {}', 'returned no address'],
])('a signer command that does “%s” is an error: %s', async (command, message) => {
  await expect(addressOfCommand(command, {})).rejects.toThrow(message)
})
