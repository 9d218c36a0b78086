import { type Static, Type } from 'typebox'
import { defineEndpoint, oneForm } from '../base/endpoint.ts'
import { bySellersAlone } from '../base/key-rules.ts'
import { registrationLengths } from '../base/lengths.ts'
import { nullableTxHash, oneOf, ReportedAmount, text } from '../base/shapes.ts'
import { formatUsdc } from '../money/money.ts'
import { KYC_FEE_MICRO } from '../money/pricing.ts'
import { Owner, RegisteredOwner } from './owners.ts'

const optionalText = (maxLength: number, options: Record<string, unknown>) =>
  Type.Optional(Type.String({ maxLength, ...options }))

export const OwnerRegistration = Type.Object(
  {
    entityType: text(50, {
      description: 'INDIVIDUAL or COMPANY, in any letter case.',
      examples: ['COMPANY'],
    }),
    entityName: text(registrationLengths.entityName, {
      description: 'Your full name, or that of the company.',
      examples: ['Analytical Engines Ltd'],
    }),
    legalAddress: optionalText(registrationLengths.legalAddress, { examples: ['12 St James’s Square'] }),
    city: optionalText(registrationLengths.city, { examples: ['London'] }),
    state: optionalText(registrationLengths.state, { examples: ['Greater London'] }),
    postalCode: optionalText(registrationLengths.postalCode, { examples: ['SW1Y 4LE'] }),
    country: text(registrationLengths.country, {
      description: 'The country’s name or ISO code.',
      examples: ['GB'],
    }),
    phoneNumber: optionalText(registrationLengths.phoneNumber, { examples: ['+44 20 7946 0000'] }),
    email: Type.String({
      maxLength: registrationLengths.email,
      pattern: '^[^\\s@]+@[^\\s@]+$',
      examples: ['ada@example.com'],
    }),
    ein: optionalText(registrationLengths.ein, {
      description: 'Tax or employer number.',
      examples: ['12-3456789'],
    }),
  },
  { title: 'OwnerRegistration' },
)
export type OwnerRegistration = Static<typeof OwnerRegistration>

export const registerOwner = defineEndpoint({
  id: 'registerOwner',
  keys: bySellersAlone,
  method: 'POST',
  path: '/api/owners/register',
  tag: 'Owners',
  summary: 'Register as a seller',
  description:
    'Stores who you are and starts identity verification. Open `kycUrl` to finish it; the outcome arrives as a ' +
    'notification. `kycStatus` becomes IN_REVIEW. A REJECTED owner may register again, one who is IN_REVIEW gets the ' +
    'same session back, and one who is VERIFIED gets INVALID_STATE.',
  access: 'owner',
  rate: 'api',
  refusesSuspended: true,
  body: oneForm(OwnerRegistration),
  status: 200,
  response: oneForm(
    Type.Object({
      data: Type.Object({
        owner: RegisteredOwner,
        kycSessionId: Type.String({
          description: 'The verification provider’s applicant id.',
          examples: ['6710c3e2a1b4f0005d9e2c17'],
        }),
        kycUrl: Type.String({
          description: 'Where to finish the verification.',
          examples: ['https://verify.example.com/s/6710c3e2a1b4'],
        }),
      }),
    }),
  ),
  errors: ['INVALID_STATE'],
  examples: {
    body: {
      entityType: 'COMPANY',
      entityName: 'Analytical Engines Ltd',
      legalAddress: '12 St James’s Square',
      city: 'London',
      state: 'Greater London',
      postalCode: 'SW1Y 4LE',
      country: 'GB',
      phoneNumber: '+44 20 7946 0000',
      email: 'ada@example.com',
      ein: '12-3456789',
    },
  },
})

/** A payment that the service settles on chain while the caller waits. */
export const settlementStatuses = ['PENDING', 'SETTLED'] as const

export const Settlement = Type.Object(
  {
    status: oneOf(settlementStatuses, {
      description: 'PENDING with a 202: the outcome comes by notification.',
    }),
    amount: ReportedAmount,
    txHash: nullableTxHash('The settling transaction, once it is known.'),
  },
  { title: 'Settlement' },
)

export const payKycFee = defineEndpoint({
  id: 'payKycFee',
  keys: { scopes: ['sell'], money: 'uncapped' },
  method: 'POST',
  path: '/api/owners/kyc/fee',
  tag: 'Owners',
  summary: 'Pay the verification fee',
  description:
    `A one-time fee of ${formatUsdc(KYC_FEE_MICRO)} USDC, paid by x402. The first call returns 402 with the offer in PAYMENT-REQUIRED; repeat it ` +
    'with PAYMENT-SIGNATURE. Paying twice is not possible: once paid, the call returns 200 and charges nothing.',
  access: 'owner',
  rate: 'api',
  refusesSuspended: true,
  status: 200,
  otherStatuses: [202],
  response: oneForm(Type.Object({ data: Type.Object({ owner: Owner, payment: Settlement }) })),
  errors: ['PAYMENT_REQUIRED', 'INSUFFICIENT_BALANCE'],
})
