import { type Issue, patternWords } from '@agent-marketplace/contract'
import type { TSchema } from 'typebox'

const MAX_ISSUES = 20

/** What the validator finds wrong, in its own words. */
interface Finding {
  keyword: string
  instancePath: string
  params: object
  message: string
}

interface Params {
  type?: string | string[]
  limit?: number
  pattern?: string
  format?: string
  allowedValues?: unknown[]
  allowedValue?: unknown
  requiredProperties?: string[]
}

/** The findings as a newcomer can read them: one for each field, the first that was found, in plain words. */
export function issuesIn(schema: TSchema, findings: readonly Finding[]): Issue[] {
  const byPath = new Map<string, Issue>()
  for (const issue of findings.slice(0, MAX_ISSUES).flatMap((finding) => toIssues(schema, finding))) {
    if (!byPath.has(issue.path)) byPath.set(issue.path, issue)
  }
  return [...byPath.values()]
}

/** A missing property is reported at the property, not at the object that lacks it. */
function toIssues(schema: TSchema, finding: Finding): Issue[] {
  const { instancePath: path } = finding
  const { requiredProperties } = finding.params as Params
  if (finding.keyword !== 'required' || !requiredProperties)
    return [{ path, message: wordsOf(schema, finding) }]
  return requiredProperties.map((name) => ({ path: `${path}/${name}`, message: 'is required' }))
}

function wordsOf(schema: TSchema, { keyword, instancePath: path, message, params }: Finding): string {
  const { type, limit, pattern = '', allowedValues = [], allowedValue } = params as Params
  switch (keyword) {
    case 'type':
      return `must be ${[type ?? []].flat().map(withArticle).join(' or ')}`
    case 'pattern':
      return patternWords(pattern) ?? message
    case 'format':
      return 'must be a date and time such as 2026-11-15T09:30:00Z'
    case 'enum':
      return `must be one of ${allowedValues.filter((value) => value !== null).join(', ')}`
    case 'const':
      return `must be ${JSON.stringify(allowedValue)}`
    case 'minimum':
      return `must be at least ${limit}`
    case 'maximum':
      return `must be at most ${limit}`
    case 'minLength':
    case 'minItems':
      return limit === 1 ? 'must not be empty' : message
    case 'minProperties':
      return limit === 1 && path === '' && namesIn(schema).length > 0
        ? `must have at least one of ${namesIn(schema).join(', ')}`
        : message
    case 'boolean':
      return 'is not allowed'
    case 'not':
      return reasonOf(schema) ?? message
    default:
      return message
  }
}

const withArticle = (type: string): string =>
  type === 'null' ? type : `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`

const namesIn = (schema: TSchema): string[] =>
  Object.keys((schema as { properties?: object }).properties ?? {})

/** What a schema forbids is explained by the description of the forbidden schema. */
const reasonOf = (schema: TSchema): string | undefined =>
  (schema as { not?: { description?: string } }).not?.description
