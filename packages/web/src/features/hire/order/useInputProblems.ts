import type { AgentServiceDetail } from '@agent-marketplace/contract'
import { useMemo, useState } from 'react'
import { issuesOf } from '../../../data/connection/field-errors.ts'
import { fieldsOf } from '../../../data/schemas/schema-fields.ts'
import { type FieldTexts, fieldAt, readInput } from '../../../data/schemas/schema-input.ts'

type Problems = Readonly<Record<string, string>>

const none: Problems = {}

/** What is wrong with what a service asked for: what cannot be read here, and what the service itself has against it. */
export function useInputProblems(service: AgentServiceDetail | undefined) {
  const [problems, setProblems] = useState(none)
  const fields = useMemo(() => (service ? fieldsOf(service.inputSchema) : []), [service])

  const show = (found: Problems): boolean => {
    setProblems(found)
    const [first] = Object.keys(found)
    if (first === undefined) return false
    document.getElementsByName(first)[0]?.focus()
    return true
  }

  return {
    fields,
    problems,
    /** Whether there is one. */
    findProblems: (texts: FieldTexts): boolean => show(readInput(fields, texts).problems),
    /** Whether the error is about a field of the input. */
    showIssues(error: unknown): boolean {
      const found = issuesOf(error).flatMap(({ path, message }) => {
        const field = path.startsWith('/input/') ? fieldAt(fields, path.slice('/input'.length)) : undefined
        return field ? [[field.path, message]] : []
      })
      return show(Object.fromEntries(found))
    },
  }
}
