import { type Address, type Client, type Hex, isAddressEqual, pad } from 'viem'
import { getCode } from 'viem/actions'
import { type EscrowSettings, getEscrowSettings } from './actions/escrow/getEscrowSettings.ts'
import { ChainError } from './errors.ts'
import { escrowDeployedBytecode, escrowImmutableOffsets } from './generated/Escrow.ts'

export type EscrowRoles = { token: Address; operator: Address; arbiter: Address; treasury: Address }

/**
 * Proves that the contract at `escrow` is this package's: its code byte for byte, with the token filled in where
 * the compiler left room for it, and the roles that were requested. Throws and names the first difference.
 */
export const verifyEscrowDeployment = async (
  client: Client,
  { escrow, expected }: { escrow: Address; expected: EscrowRoles },
): Promise<EscrowSettings> => {
  const code = await getCode(client, { address: escrow })
  if (code === undefined) throw new ChainError('DEPLOYMENT_FAILED', `there is no contract at ${escrow}`)
  if (code.toLowerCase() !== withToken(escrowDeployedBytecode, expected.token).toLowerCase()) {
    throw new ChainError(
      'DEPLOYMENT_FAILED',
      `the code at ${escrow} is not that of this package's Escrow for ${expected.token}`,
    )
  }
  const settings = await getEscrowSettings(client, { escrow })
  for (const role of ['token', 'operator', 'arbiter', 'treasury'] as const) {
    if (!isAddressEqual(settings[role], expected[role])) {
      throw new ChainError(
        'DEPLOYMENT_FAILED',
        `the ${role} of ${escrow} is ${settings[role]}, ${expected[role]} was expected`,
      )
    }
  }
  return settings
}

const withToken = (code: Hex, token: Address): Hex => {
  const digits = code.slice(2)
  const word = pad(token).slice(2)
  let filled = ''
  let end = 0
  for (const offset of escrowImmutableOffsets) {
    filled += digits.slice(end, offset * 2) + word
    end = offset * 2 + word.length
  }
  return `0x${filled}${digits.slice(end)}`
}
