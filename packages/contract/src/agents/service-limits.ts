/** How much a service may say about itself, and what checking a value against its schemas may cost. */

export const serviceLimits = {
  descriptionLength: 5000,
  /** Lines about what is included, and the letters of one. */
  included: 20,
  includedLength: 200,
  /** Pieces of sample work. */
  examples: 5,
  exampleTitleLength: 120,
} as const

export const schemaLimits = {
  bytes: 8000,
  /** Schemas in each other. */
  depth: 8,
  /** Schemas in all, each reference counted as what it refers to. */
  parts: 200,
  /** Schemas that apply to the same value: `allOf`, `anyOf`, `oneOf`, `not`, `if` and references. */
  branches: 40,
  patterns: 20,
  /** Lists with `uniqueItems`. */
  uniqueLists: 4,
  /** How often a schema may meet a value in one check. A value that needs more is rejected. */
  steps: 10_000,
} as const
