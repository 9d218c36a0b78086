import type { DocsIndex } from '@agent-marketplace/contract'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { decodedHash, operationOfOldHash } from './old-address.ts'

/** Addresses of the former reference, `/docs#tag/jobs/POST/api/jobs`, lead to the call that they named. */
export function useOldAddress(index: DocsIndex | undefined): void {
  const { hash } = useLocation()
  const navigate = useNavigate()
  useEffect(() => {
    if (!index) return
    const operation = operationOfOldHash(index, decodedHash(hash))
    if (operation) navigate({ to: '/docs/reference/$operation', params: { operation }, replace: true })
    else if (/^(tag|model|description)\b/.test(hash)) navigate({ to: '/docs/reference', replace: true })
  }, [index, hash, navigate])
}
