import {
  type Endpoint,
  type Form,
  formMediaTypes,
  mergeFormSchemas,
  mergeFormValues,
} from '@agent-marketplace/contract'

/** Which form the caller asks for: one of them by its media type, or both in one body. */
export type WantedForm = Form | 'both'

export function wantedForm(accept: string | undefined): WantedForm {
  if (accept === undefined) return 'both'
  if (accept.includes(formMediaTypes.a)) return 'a'
  if (accept.includes(formMediaTypes.b)) return 'b'
  return 'both'
}

export function mediaTypeOf(form: WantedForm): string {
  return form === 'both' ? 'application/json; charset=utf-8' : `${formMediaTypes[form]}; charset=utf-8`
}

type Json = Record<string, unknown>

/** A handler's answer in the form that goes out, with the schema that serialises it. */
export interface Presented {
  value: Json
  schema: Json
  form: WantedForm
}

export type Present = (answer: unknown, wanted: WantedForm) => Presented

/** Builds the presenter of one endpoint; the merged schema is made once. What handlers return was checked by the compiler. */
export function createPresenter(endpoint: Endpoint): Present {
  const { answer: forms } = endpoint
  if (forms.kind === 'raw') throw new Error(`${endpoint.id} writes its answer itself`)
  if (forms.kind === 'one') {
    const schema = forms.schema as Json
    return (answer, wanted) => ({ value: answer as Json, schema, form: wanted })
  }
  const schemas = { a: forms.a as Json, b: forms.b as Json }
  if (forms.kind === 'either') {
    return (answer, wanted) => {
      const { form, value } = answer as { form: Form; value: Json }
      return { value, schema: schemas[form], form: wanted === 'both' ? 'both' : form }
    }
  }
  const merged = mergeFormSchemas(forms.a, forms.b) as Json
  return (answer, wanted) => {
    const values = answer as { a: Json; b: Json }
    if (wanted !== 'both') return { value: values[wanted], schema: schemas[wanted], form: wanted }
    return { value: mergeFormValues(values.a, values.b) as Json, schema: merged, form: 'both' }
  }
}
