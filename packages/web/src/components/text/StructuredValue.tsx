import { type JsonObject, spoken } from '../../data/schemas/schema-fields.ts'
import { inWords } from '../../data/schemas/schema-input.ts'

interface StructuredValueProps {
  label: string
  value: unknown
  /** What its fields are called. */
  schema: JsonObject | null
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A value that fits a schema: an object as its fields with their names, anything else as it is. */
export function StructuredValue({ label, value, schema }: StructuredValueProps) {
  if (!isObject(value))
    return <p className="rounded-box bg-sunken p-4 whitespace-pre-wrap wrap-anywhere">{inWords(value)}</p>
  return (
    <dl aria-label={label} className="flex flex-col gap-3 rounded-box bg-sunken p-4">
      {Object.entries(value).map(([name, part]) => (
        <div key={name} className="flex flex-col gap-0.5">
          <dt className="text-12 text-ink-muted">{nameIn(schema, name)}</dt>
          <dd className="text-14 whitespace-pre-wrap wrap-anywhere">
            {isObject(part) || (Array.isArray(part) && part.some(isObject)) ? (
              <code className="font-mono">{JSON.stringify(part, null, 2)}</code>
            ) : (
              inWords(part)
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function nameIn(schema: JsonObject | null, name: string): string {
  const properties = schema?.properties
  const property = isObject(properties) ? properties[name] : undefined
  return isObject(property) && typeof property.title === 'string' ? property.title : spoken(name)
}
