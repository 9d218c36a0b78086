import pg from 'pg'

interface Description {
  fields: pg.FieldDef[]
}

/** The client of pg calls this when the columns of a result arrive, before its rows. The types of pg leave it out. */
interface DescribedQuery extends pg.Query {
  handleRowDescription(description: Description): void
}

const { handleRowDescription } = pg.Query.prototype as DescribedQuery

/** A query whose rows have camelCase names. Its columns are named once per result, so that a row costs no more than before. */
class RowQuery extends pg.Query {
  handleRowDescription(description: Description): void {
    for (const field of description.fields) field.name = fieldNameOf(field.name)
    handleRowDescription.call(this, description)
  }
}

/** Columns are named by the program, never by input, so there are only so many. */
const fieldNames = new Map<string, string>()

/** `created_at` is `createdAt`; what a statement names in camelCase itself stays as it is. */
function fieldNameOf(column: string): string {
  let name = fieldNames.get(column)
  if (name === undefined) {
    name = column.replace(/(?<=[a-z0-9])_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
    fieldNames.set(column, name)
  }
  return name
}

export function runQuery(client: pg.ClientBase, config: pg.QueryConfig): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    client.query(new RowQuery(config, (error, result) => (error ? reject(error) : resolve(result))))
  })
}
