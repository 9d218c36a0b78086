import { type BodyForms, type Issue, invalidInput } from '@agent-marketplace/contract'
import type { TObject, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { createExcessFinder } from './bounds.ts'
import { createCleaner } from './clean-value.ts'
import { issuesIn } from './issues.ts'
import { checkText } from './json-body.ts'

interface Checker {
  fits(value: unknown): boolean
  issuesOf(value: unknown): Issue[]
  clean(value: unknown): unknown
}

function createChecker(schema: TSchema): Checker {
  const compiled = Compile(schema)
  const findExcess = createExcessFinder(schema)
  return {
    fits: (value) => findExcess(value, '') === undefined && compiled.Check(value),
    issuesOf(value) {
      const excess = findExcess(value, '')
      if (excess) return [excess]
      if (compiled.Check(value)) return []
      return issuesIn(schema, compiled.Errors(value))
    },
    clean: createCleaner(schema),
  }
}

function refuse(issues: Issue[], whole?: string): void {
  if (issues.length > 0) throw invalidInput(issues, whole)
}

/**
 * Gives back the body with unknown keys dropped and defaults filled in. Where a body has two forms it is told apart by shape; one that fits
 * neither is measured against the nearer form, so that the caller reads about the fields they meant to send.
 */
export function createBodyValidator(forms: BodyForms): (body: unknown) => unknown {
  if (forms.kind === 'one') {
    const checker = createChecker(forms.schema)
    const countsFields = 'minProperties' in forms.schema
    return (body) => {
      refuse(checker.issuesOf(body))
      const value = checker.clean(body)
      // Fields that nobody knows are dropped by now: a change of nothing else is not what the caller meant.
      if (countsFields) refuse(checker.issuesOf(value))
      return value
    }
  }
  const checkers = { a: createChecker(forms.a), b: createChecker(forms.b) }
  return (body) => {
    const form = fittingForm(body, forms, checkers)
    refuse(checkers[form].issuesOf(body))
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
    refuse(checker.issuesOf(read), `The ${where}`)
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
