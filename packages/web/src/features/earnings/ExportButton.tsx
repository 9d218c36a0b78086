import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { Button } from '../../components/Button.tsx'
import { toastError } from '../../components/toast.ts'
import type { EarningsFilter } from '../../data/account/owner.ts'
import { useClient } from '../../session/SessionProvider.tsx'
import { type DayRange, exportName } from './earnings-range.ts'

/** Saves exactly what the filter shows. */
export function ExportButton({ filter, range }: { filter: EarningsFilter; range: DayRange }) {
  const client = useClient()
  const exporting = useMutation({
    mutationFn: () => client.exportEarnings(filter),
    onSuccess: (csv) => save(csv, exportName(range)),
    onError: toastError,
  })
  return (
    <Button className="max-lg:col-span-2" isBusy={exporting.isPending} onClick={() => exporting.mutate()}>
      <Download aria-hidden className="size-4" />
      Export CSV
    </Button>
  )
}

function save(csv: string, name: string): void {
  const url = URL.createObjectURL(new Blob([csv], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
