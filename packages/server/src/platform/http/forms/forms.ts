import {
  AppError,
  type Endpoint,
  type Form,
  formMediaTypes,
  mergeFormSchemas,
  mergeFormValues,
} from '@agent-marketplace/contract'
import { preferredType } from './accept.ts'

/** Which form the caller asks for: one of them by its media type, or both in one body. */
export type WantedForm = Form | 'both'

const JSON_TYPE = 'application/json'
const formOf = { [formMediaTypes.a]: 'a', [formMediaTypes.b]: 'b', [JSON_TYPE]: 'both' } as const
/** A caller that names a form beside plain JSON wants that form; one that takes anything gets plain JSON. */
const offeredTypes = [formMediaTypes.a, formMediaTypes.b, JSON_TYPE] as const

const MAX_REMEMBERED = 200
const MAX_REMEMBERED_LENGTH = 200
/** Clients send the same few headers again and again. */
const remembered = new Map<string, WantedForm | undefined>()

/** Undefined where the caller takes none of the forms. */
export function wantedForm(accept: string | undefined): WantedForm | undefined {
  if (accept === undefined || accept === '*/*' || accept === JSON_TYPE) return 'both'
  if (remembered.has(accept)) return remembered.get(accept)
  const type = preferredType(accept, offeredTypes, JSON_TYPE)
  const form = type === undefined ? undefined : formOf[type]
  if (accept.length <= MAX_REMEMBERED_LENGTH) {
    if (remembered.size >= MAX_REMEMBERED) remembered.clear()
    remembered.set(accept, form)
  }
  return form
}

/** What an endpoint sends, by the caller's Accept. Files and streams are of one type, and their errors are JSON. */
export function createNegotiator({
  response,
  alsoSends = [],
}: Endpoint): (accept: string | undefined) => WantedForm {
  return (accept) => {
    const form = wantedForm(accept)
    if (form !== undefined) return form
    if (response.kind === 'raw' && takesRaw(accept, response.mediaType)) return 'both'
    if (alsoSends.some((type) => preferredType(accept, [type], type) !== undefined)) return 'both'
    throw new AppError('NOT_ACCEPTABLE')
  }
}

/** A file has the type that its content has, so any type may be requested. */
function takesRaw(accept: string | undefined, mediaType: string): boolean {
  return (
    mediaType === 'application/octet-stream' || preferredType(accept, [mediaType], mediaType) !== undefined
  )
}

export function mediaTypeOf(form: WantedForm): string {
  return form === 'both' ? 'application/json; charset=utf-8' : `${formMediaTypes[form]}; charset=utf-8`
}

type Json = Record<string, unknown>

/** A handler's response in the form that goes out, with the schema that serialises it. */
export interface Presented {
  value: Json
  schema: Json
  form: WantedForm
}

export type Present = (response: unknown, wanted: WantedForm) => Presented

/** Builds the presenter of one endpoint; the merged schema is made once. What handlers return was checked by the compiler. */
export function createPresenter(endpoint: Endpoint): Present {
  const { response: forms } = endpoint
  if (forms.kind === 'raw') throw new Error(`${endpoint.id} writes its response itself`)
  if (forms.kind === 'one') {
    const schema = forms.schema as Json
    return (response, wanted) => ({ value: response as Json, schema, form: wanted })
  }
  const schemas = { a: forms.a as Json, b: forms.b as Json }
  if (forms.kind === 'either') {
    return (response, wanted) => {
      const { form, value } = response as { form: Form; value: Json }
      return { value, schema: schemas[form], form: wanted === 'both' ? 'both' : form }
    }
  }
  const merged = mergeFormSchemas(forms.a, forms.b) as Json
  return (response, wanted) => {
    const values = response as { a: Json; b: Json }
    if (wanted !== 'both') return { value: values[wanted], schema: schemas[wanted], form: wanted }
    return { value: mergeFormValues(values.a, values.b) as Json, schema: merged, form: 'both' }
  }
}
