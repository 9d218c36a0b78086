import { type Static, Type } from 'typebox'
import { errorCodes } from './error-rules.ts'
import { DateTime, FreeObject, oneOf } from './shapes.ts'

/** Form A's and form B's error fields in one envelope. */
export const ErrorEnvelope = Type.Object(
  {
    error: Type.Object({
      code: oneOf(errorCodes, { description: 'Stable, for programs.', examples: ['VALIDATION_ERROR'] }),
      message: Type.String({
        description: 'For people. It may change.',
        examples: ['The request does not fit the documented shape.'],
      }),
      details: FreeObject,
      statusCode: Type.Integer({ description: 'The same as the HTTP status.', examples: [400] }),
      timestamp: DateTime,
      requestId: Type.String({
        description: 'The same as the X-Request-Id header.',
        examples: ['cmi0a1b2c3d4e5f6g7h8i9j0k'],
      }),
    }),
  },
  { title: 'Error' },
)
export type ErrorEnvelope = Static<typeof ErrorEnvelope>
