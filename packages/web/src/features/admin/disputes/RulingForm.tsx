import type { Job } from '@agent-marketplace/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../components/buttons/Button.tsx'
import { Field } from '../../../components/forms/Field.tsx'
import { Slider } from '../../../components/forms/inputs.tsx'
import { Money } from '../../../components/money/Money.tsx'
import { Card } from '../../../components/page/Card.tsx'
import { ErrorState } from '../../../components/page/ErrorState.tsx'
import { toastDone } from '../../../components/popups/toast.ts'
import { splitShare } from '../../../format/split-share.ts'
import { useClient } from '../../../session/SessionProvider.tsx'

const WHOLE_BPS = 10_000
const STEP_BPS = 100

/** The split that is put before the multisig, with what each side would get. */
export function RulingForm({ job, hasProposal }: { job: Job; hasProposal: boolean }) {
  const client = useClient()
  const queries = useQueryClient()
  const [sellerBps, setSellerBps] = useState(WHOLE_BPS / 2)
  const share = splitShare(BigInt(job.agreedPrice), sellerBps)
  const proposal = useMutation({
    mutationFn: () => client.call('proposeRuling', { params: { id: job.id }, body: { sellerBps } }),
    onSuccess: async () => {
      toastDone('The ruling is proposed. The owners of the multisig can sign it now.')
      await queries.invalidateQueries({ queryKey: ['admin'] })
    },
  })
  return (
    <Card className="flex flex-col gap-4">
      <h3 className="font-medium">{hasProposal ? 'Propose another split' : 'Propose a split'}</h3>
      <Field label="The seller’s share" isRequired>
        <Slider
          min={0}
          max={WHOLE_BPS}
          step={STEP_BPS}
          value={sellerBps}
          valueText={`${sellerBps / 100}%`}
          onChange={({ target }) => setSellerBps(Number(target.value))}
        />
      </Field>
      <dl className="flex flex-col text-14">
        <Line label="The buyer gets back" micro={share.refundMicro} />
        <Line label="The seller receives" micro={share.sellerMicro} />
        <Line label="Platform fee, 2% of the seller’s share" micro={share.feeMicro} />
      </dl>
      {proposal.isError && <ErrorState error={proposal.error} />}
      <Button
        look={hasProposal ? 'secondary' : 'primary'}
        className="self-start"
        isBusy={proposal.isPending}
        onClick={() => proposal.mutate()}
      >
        Propose {sellerBps / 100}% to the seller
      </Button>
    </Card>
  )
}

function Line({ label, micro }: { label: string; micro: bigint }) {
  return (
    <div className="flex justify-between gap-4 py-1.5">
      <dt className="text-ink-muted">{label}</dt>
      <dd>
        <Money micro={micro} />
      </dd>
    </div>
  )
}
