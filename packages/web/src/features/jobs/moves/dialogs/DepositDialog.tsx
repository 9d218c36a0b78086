import { useForm } from 'react-hook-form'
import { Field } from '../../../../components/forms/Field.tsx'
import { TextInput } from '../../../../components/forms/inputs.tsx'
import { Address } from '../../../../components/money/Address.tsx'
import { fieldErrors } from '../../../../data/connection/field-errors.ts'
import { usdcText } from '../../../../format/money.ts'
import { useTrackTx } from '../../../../transactions/TransactionProvider.tsx'
import { MoveDialog } from '../MoveDialog.tsx'
import type { MoveProps } from '../move-props.ts'
import { useJobMove } from '../useJobMove.ts'

/** For a buyer who called the escrow contract from the own wallet: the service looks the transaction up. */
export function DepositDialog({ job, onClose }: MoveProps) {
  const { track } = useTrackTx()
  const { register, handleSubmit, formState } = useForm<{ txHash: string }>()
  const move = useJobMove<{ txHash: string }>({
    job,
    call: async (client, { txHash }) => {
      const { data } = await client.call('payJob', { params: { id: job.id }, body: { txHash } })
      track({
        kind: 'payment',
        label: `Deposit ${usdcText(BigInt(job.agreedPrice))} USDC`,
        jobId: job.id,
        txHash,
      })
      return data.job
    },
    done: 'Deposit found.',
    onDone: onClose,
  })
  const escrow = job.paymentInfo?.escrow
  return (
    <MoveDialog
      title="I deposited it myself"
      description="If you called the escrow contract from your own wallet, name the transaction. It is checked on chain: payer, terms, token and amount."
      submit="Check the deposit"
      move={move}
      onClose={onClose}
      onSubmit={handleSubmit((input) => move.mutate(input))}
    >
      {escrow && (
        <p className="flex items-center justify-between gap-4 text-14">
          <span className="text-ink-muted">Escrow contract</span>
          <Address address={escrow} />
        </p>
      )}
      <Field
        label="Transaction hash"
        isRequired
        error={formState.errors.txHash?.message ?? fieldErrors(move.error).txHash}
      >
        <TextInput
          className="font-mono"
          placeholder="0x…"
          autoComplete="off"
          spellCheck={false}
          {...register('txHash', {
            required: 'Paste the hash of your deposit.',
            setValueAs: (text: string) => text.trim(),
            pattern: { value: /^\s*0x[a-fA-F0-9]{64}\s*$/, message: 'A hash is 0x and 64 digits.' },
          })}
        />
      </Field>
    </MoveDialog>
  )
}
