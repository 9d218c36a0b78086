import { AppError, type BodyForms, type Issue } from '@agent-marketplace/contract'
import type { TObject, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { createCleaner } from './clean-value.ts'
import { checkText } from './json-body.ts'

const MAX_ISSUES = 20

interface Checker {
  fits(value: unknown): boolean
  issuesOf(value: unknown): Issue[]
  clean(value: unknown): unknown
}

function createChecker(schema: TSchema): Checker {
  const compiled = Compile(schema)
  return {
    fits: (value) => compiled.Check(value),
    issuesOf(value) {
      if (compiled.Check(value)) return []
      return compiled.Errors(value).slice(0, MAX_ISSUES).flatMap(toIssues)
    },
    clean: createCleaner(schema),
  }
}

/** A missing property is reported at the property, not at the object that lacks it. */
function toIssues(error: {
  instancePath: string
  keyword: string
  message: string
  params: object
}): Issue[] {
  const missing = (error.params as { requiredProperties?: string[] }).requiredProperties
  if (error.keyword === 'required' && missing) {
    return missing.map((name) => ({ path: `${error.instancePath}/${name}`, message: 'is required' }))
  }
  return [{ path: error.instancePath, message: error.message }]
}

function refuse(where: string, issues: Issue[]): never {
  const [first] = issues
  const place = first?.path ? first.path.slice(1).replaceAll('/', '.') : where
  throw new AppError('VALIDATION_ERROR', {
    message: first ? `${place} ${first.message}.` : `The ${where} is not valid.`,
    details: { issues },
  })
}

/**
 * Gives back the body with unknown keys dropped and defaults filled in. Where a body has two forms it is told apart by shape; one that fits
 * neither is measured against the nearer form, so that the caller reads about the fields they meant to send.
 */
export function createBodyValidator(forms: BodyForms): (body: unknown) => unknown {
  if (forms.kind === 'one') {
    const checker = createChecker(forms.schema)
    return (body) => {
      const issues = checker.issuesOf(body)
      if (issues.length > 0) refuse('body', issues)
      return checker.clean(body)
    }
  }
  const checkers = { a: createChecker(forms.a), b: createChecker(forms.b) }
  return (body) => {
    const form = fittingForm(body, forms, checkers)
    const issues = checkers[form].issuesOf(body)
    if (issues.length > 0) refuse('body', issues)
    return { form, value: checkers[form].clean(body) }
  }
}

/** The form that fits; where both or none do, the one that knows more of the body's keys, or else finds less amiss. */
function fittingForm(
  body: unknown,
  forms: { a: TSchema; b: TSchema },
  checkers: { a: Checker; b: Checker },
): 'a' | 'b' {
  const fits = { a: checkers.a.fits(body), b: checkers.b.fits(body) }
  if (fits.a !== fits.b) return fits.a ? 'a' : 'b'
  const known = (schema: TSchema) => {
    const names = (schema as { properties?: object }).properties ?? {}
    return Object.keys(typeof body === 'object' && body ? body : {}).filter((key) => key in names).length
  }
  const difference = known(forms.a) - known(forms.b)
  if (difference !== 0) return difference > 0 ? 'a' : 'b'
  return checkers.a.issuesOf(body).length <= checkers.b.issuesOf(body).length ? 'a' : 'b'
}

/** Query strings and path parameters arrive as text: numbers and booleans are read strictly, then the schema decides. */
export function createTextValidator(where: string, schema: TObject): (values: unknown) => unknown {
  const checker = createChecker(schema)
  const properties = Object.entries(
    schema.properties as Record<string, { type?: unknown; default?: unknown }>,
  )
  return (values) => {
    const given = (values ?? {}) as Record<string, unknown>
    const read: Record<string, unknown> = {}
    for (const [name, property] of properties) {
      const value = readText(given[name], property.type)
      if (typeof value === 'string') checkText(value, `/${name}`)
      if (value !== undefined) read[name] = value
      else if (property.default !== undefined) read[name] = property.default
    }
    const issues = checker.issuesOf(read)
    if (issues.length > 0) refuse(where, issues)
    return read
  }
}

const integerPattern = /^-?(0|[1-9][0-9]{0,15})$/
const numberPattern = /^-?(0|[1-9][0-9]{0,15})(\.[0-9]{1,10})?$/

function readText(value: unknown, type: unknown): unknown {
  if (typeof value !== 'string') return value
  if (type === 'integer' && integerPattern.test(value)) return Number(value)
  if (type === 'number' && numberPattern.test(value)) return Number(value)
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  return value
}
