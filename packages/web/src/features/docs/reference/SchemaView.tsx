import { type OpenApiDocument, resolveReference as resolve } from '@agent-marketplace/contract'
import { InlineMarkdown } from '../text/InlineMarkdown.tsx'

/** Deeper than this a record is shown by its name alone: it may hold itself. */
const MAX_DEPTH = 6

type JsonSchema = Record<string, unknown>

interface SchemaViewProps {
  document: OpenApiDocument
  schema: JsonSchema
  depth?: number
}

/** The fields of a record, each with its type, its rules and what it means. */
export function SchemaView({ document, schema, depth = 0 }: SchemaViewProps) {
  const fields = fieldsOf(document, schema)
  if (fields.length === 0 || depth > MAX_DEPTH) return null
  return (
    <ul className="divide-y divide-line">
      {fields.map(({ name, isRequired, schema: field }) => (
        <li key={name} className="py-2">
          <FieldLine name={name} isRequired={isRequired} document={document} schema={field} />
          <Inner document={document} schema={field} depth={depth} />
        </li>
      ))}
    </ul>
  )
}

interface FieldLineProps extends SchemaViewProps {
  name: string
  isRequired: boolean
  description?: string | undefined
}

export function FieldLine({ name, isRequired, document, schema, description }: FieldLineProps) {
  const whole = { ...resolve(document, schema), ...schema }
  const words = description ?? (typeof whole.description === 'string' ? whole.description : undefined)
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-2">
        <code className="font-mono text-14 font-medium wrap-anywhere">{name}</code>
        <span className="text-12 text-ink-muted">{typeWords(document, whole)}</span>
        {isRequired && <span className="text-12 text-review">required</span>}
      </p>
      {words && (
        <p className="text-14 text-ink-muted">
          <InlineMarkdown text={words} />
        </p>
      )}
      <Rules schema={whole} />
    </>
  )
}

/** The fields inside of a field, behind its name. */
function Inner({ document, schema, depth }: Required<SchemaViewProps>) {
  const inner = innerOf(document, schema)
  if (fieldsOf(document, inner).length === 0 || depth >= MAX_DEPTH) return null
  return (
    <details className="mt-1">
      <summary className="inline-flex min-h-8 items-center text-12 text-accent-ink">Its fields</summary>
      <div className="border-l border-line pl-4">
        <SchemaView document={document} schema={inner} depth={depth + 1} />
      </div>
    </details>
  )
}

function Rules({ schema }: { schema: JsonSchema }) {
  const { enum: choices, minLength, maxLength, minimum, maximum, maxItems } = schema
  const rules = [
    Array.isArray(choices) && choices.length > 1 && `one of ${choices.join(', ')}`,
    minimum !== undefined && `at least ${minimum}`,
    maximum !== undefined && `at most ${maximum}`,
    typeof minLength === 'number' && minLength > 1 && `at least ${minLength} characters`,
    maxLength !== undefined && `at most ${maxLength} characters`,
    maxItems !== undefined && `at most ${maxItems} items`,
  ].filter((rule) => typeof rule === 'string')
  if (rules.length === 0) return null
  return <p className="text-12 text-ink-faint wrap-anywhere">{rules.join('; ')}</p>
}

interface SchemaField {
  name: string
  isRequired: boolean
  schema: JsonSchema
}

function fieldsOf(document: OpenApiDocument, schema: JsonSchema): SchemaField[] {
  const { properties, required, allOf, anyOf } = resolve(document, schema)
  const parts = [allOf, anyOf].flatMap((list) => (Array.isArray(list) ? (list as JsonSchema[]) : []))
  if (typeof properties !== 'object' || properties === null)
    return parts.flatMap((part) => fieldsOf(document, part))
  const names = Array.isArray(required) ? required : []
  return Object.entries(properties).map(([name, field]) => ({
    name,
    isRequired: names.includes(name),
    schema: field as JsonSchema,
  }))
}

const innerOf = (document: OpenApiDocument, schema: JsonSchema): JsonSchema => {
  const whole = resolve(document, schema)
  return typeof whole.items === 'object' && whole.items !== null ? (whole.items as JsonSchema) : whole
}

function typeWords(document: OpenApiDocument, schema: JsonSchema): string {
  const { type, items, anyOf, format, const: only } = schema
  if (only !== undefined) return JSON.stringify(only)
  if (Array.isArray(anyOf))
    return [...new Set(anyOf.map((part) => typeWords(document, resolve(document, part as JsonSchema))))].join(
      ' or ',
    )
  if (type === 'array') {
    const inner = typeof items === 'object' && items !== null ? resolve(document, items as JsonSchema) : {}
    return `list of ${typeWords(document, inner)}`
  }
  const name = Array.isArray(type) ? type.join(' or ') : String(type ?? 'any')
  return typeof format === 'string' ? `${name} (${format})` : name
}
