import {
  type BodyForms,
  type Issue,
  invalidField,
  invalidInput,
  type TwoForms,
} from '@agent-marketplace/contract'
import type { TObject, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { createAbsentDropper } from './absent-fields.ts'
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
 * Gives back the body with unknown keys dropped and defaults filled in. Where a body has two forms the shape decides; one that fits
 * neither is measured against the nearer form, so that the caller reads about the fields they meant to send.
 */
export function createBodyValidator(forms: BodyForms): (body: unknown) => unknown {
  if (forms.kind === 'one') {
    const checker = createChecker(forms.schema)
    const dropAbsent = createAbsentDropper(forms.schema)
    const countsFields = 'minProperties' in forms.schema
    return (given) => {
      const body = dropAbsent(given)
      refuse(checker.issuesOf(body))
      const value = checker.clean(body)
      // Fields that nobody knows are dropped by now: a change of nothing else is not what the caller meant.
      if (countsFields) refuse(checker.issuesOf(value))
      return value
    }
  }
  const checkers = { a: createChecker(forms.a), b: createChecker(forms.b) }
  const droppers = {
    a: createAbsentDropper(forms.a, namesIn(forms.b)),
    b: createAbsentDropper(forms.b, namesIn(forms.a)),
  }
  return (given) => {
    const bodies = { a: droppers.a(given), b: droppers.b(given) }
    const form = fittingForm(bodies, forms, checkers)
    refuse(checkers[form].issuesOf(bodies[form]))
    refuseContradictions(bodies[form] as object, forms)
    return { form, value: checkers[form].clean(bodies[form]) }
  }
}

const namesIn = (schema: TSchema): string[] =>
  Object.keys((schema as { properties?: object }).properties ?? {})

/** What one form calls by another name is not dropped in silence where both names are used. */
function refuseContradictions(body: object, { renamed = {} }: TwoForms): void {
  const fields = body as Record<string, unknown>
  for (const [name, other] of Object.entries(renamed)) {
    const isSaidTwice = fields[name] !== undefined && fields[other] !== undefined
    if (isSaidTwice && fields[name] !== fields[other]) {
      throw invalidField(`/${other}`, `is another name of ${name}, and says something else`)
    }
  }
}

/** The form that fits; where both or none do, the one that knows more of the body's keys, or else finds less amiss. */
function fittingForm(
  bodies: { a: unknown; b: unknown },
  forms: { a: TSchema; b: TSchema },
  checkers: { a: Checker; b: Checker },
): 'a' | 'b' {
  const fits = { a: checkers.a.fits(bodies.a), b: checkers.b.fits(bodies.b) }
  if (fits.a !== fits.b) return fits.a ? 'a' : 'b'
  const known = (form: 'a' | 'b') => {
    const body = bodies[form]
    if (typeof body !== 'object' || body === null) return 0
    return namesIn(forms[form]).filter((name) => Object.hasOwn(body, name)).length
  }
  const difference = known('a') - known('b')
  if (difference !== 0) return difference > 0 ? 'a' : 'b'
  return checkers.a.issuesOf(bodies.a).length <= checkers.b.issuesOf(bodies.b).length ? 'a' : 'b'
}

/**
 * Query strings and path parameters arrive as text: numbers and booleans are read strictly, then the schema decides. A form
 * sends its empty fields along, so an empty value in a query means that it was not given.
 */
export function createTextValidator(where: 'path' | 'query', schema: TObject): (values: unknown) => unknown {
  const checker = createChecker(schema)
  const properties = Object.entries(
    schema.properties as Record<string, { type?: unknown; default?: unknown }>,
  )
  return (values) => {
    const given = (values ?? {}) as Record<string, unknown>
    const read: Record<string, unknown> = {}
    for (const [name, property] of properties) {
      const isGiven = where === 'path' || given[name] !== ''
      const value = isGiven ? readText(given[name], property.type) : undefined
      if (typeof value === 'string') checkText(value, () => `/${name}`)
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
