import { Type } from 'typebox'
import { DateInput, PathId } from '../base/shapes.ts'

/** By which lists of earnings and of spending can be narrowed. */
export const statementFilter = {
  agentId: Type.Optional(PathId),
  startDate: Type.Optional(DateInput),
  endDate: Type.Optional(DateInput),
}
