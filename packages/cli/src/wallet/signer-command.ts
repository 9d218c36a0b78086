import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { Signer } from '@agent-marketplace/sdk'
import { type Address, getAddress, getTypesForEIP712Domain, type Hex, isAddress, isHex } from 'viem'
import { CommandError } from '../exit-codes.ts'
import type { Terminal } from '../terminal.ts'

type Environment = Terminal['environment']

/** What a signer command gets on its standard input, as one JSON object. */
type SignerRequest =
  | { method: 'address' }
  | { method: 'signMessage'; address: Address; message: string }
  | { method: 'signTypedData'; address: Address; typedData: object }

/** Asks the command which wallet it signs for. */
export async function addressOfCommand(command: string, environment: Environment): Promise<Address> {
  const { address } = await runSigner(command, environment, { method: 'address' })
  if (typeof address !== 'string' || !isAddress(address))
    throw new CommandError('signIn', 'The signer command returned no address.')
  return getAddress(address)
}

/** Signs with a program of the user's: a hardware wallet, a key service. The key never comes here. */
export function signerOfCommand(command: string, address: Address, environment: Environment): Signer {
  const sign = (request: SignerRequest) => signatureOf(command, environment, request)
  return {
    address,
    signMessage: ({ message }) => sign({ method: 'signMessage', address, message }),
    signTypedData: (typedData) => {
      // As eth_signTypedData_v4 takes it, which is what signing programs read.
      const EIP712Domain = getTypesForEIP712Domain({ domain: typedData.domain })
      const whole = { ...typedData, types: { EIP712Domain, ...typedData.types } }
      return sign({ method: 'signTypedData', address, typedData: whole })
    },
  }
}

async function signatureOf(command: string, environment: Environment, request: SignerRequest): Promise<Hex> {
  const { signature } = await runSigner(command, environment, request)
  if (!isHex(signature)) throw new CommandError('signIn', 'The signer command returned no signature.')
  return signature
}

/** Another program gets none of our secrets. */
export function signerEnvironment(environment: Environment): Environment {
  const {
    AGENT_MARKETPLACE_PASSWORD: _password,
    AGENT_MARKETPLACE_PASSWORD_FILE: _file,
    AGENT_MARKETPLACE_API_KEY: _key,
    ...others
  } = environment
  return others
}

async function runSigner(
  command: string,
  environment: Environment,
  request: SignerRequest,
): Promise<Record<string, unknown>> {
  // It is the user's own command line, written by themselves; what is signed goes to standard input alone.
  const env = signerEnvironment(environment)
  const child = spawn(command, { shell: true, env, stdio: ['pipe', 'pipe', 'inherit'] })
  // A command that ends without reading its input is judged by how it ends.
  child.stdin.on('error', () => {})
  child.stdin.end(JSON.stringify(request, (_, value) => (typeof value === 'bigint' ? String(value) : value)))
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
  if (code !== 0) throw new CommandError('signIn', `The signer command failed (${code}). Nothing was signed.`)
  try {
    return JSON.parse(output)
  } catch (cause) {
    throw new CommandError('signIn', 'The signer command did not return JSON.', { cause })
  }
}
