import type { OwnAgent } from '@agent-marketplace/contract'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Button } from '../../../components/buttons/Button.tsx'
import { Field } from '../../../components/forms/Field.tsx'
import { MoneyInput } from '../../../components/forms/MoneyInput.tsx'
import { Address } from '../../../components/money/Address.tsx'
import { Money } from '../../../components/money/Money.tsx'
import { ErrorState } from '../../../components/page/ErrorState.tsx'
import { Dialog } from '../../../components/popups/Dialog.tsx'
import { agentQuery } from '../../../data/agents/agents.ts'
import { fieldErrors } from '../../../data/connection/field-errors.ts'
import { usdcText } from '../../../format/money.ts'
import { useClient, useOwner } from '../../../session/SessionProvider.tsx'
import { limitMicro, mostMicro } from './available.ts'
import { useAvailable } from './useAvailable.ts'
import { useWithdraw } from './useWithdraw.ts'

interface WithdrawDialogProps {
  agent: OwnAgent
  onClose: () => void
}

/** How much leaves the agent's wallet, and where it arrives: always at the wallet that is signed in. */
export default function WithdrawDialog({ agent, onClose }: WithdrawDialogProps) {
  const { walletAddress } = useOwner()
  const { availableMicro } = useAvailable(agent)
  const guardrails = useQuery(agentQuery(useClient(), agent.walletAddress)).data?.guardrails
  const [amountMicro, setAmountMicro] = useState<bigint>()
  const [isTried, setIsTried] = useState(false)
  const withdraw = useWithdraw({ agent, onDone: onClose })
  const most = availableMicro === undefined ? undefined : mostMicro(availableMicro, guardrails)
  const limit = limitMicro(guardrails)
  const refusals = fieldErrors(withdraw.error)
  const wrong = whatIsWrong(amountMicro, most)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setIsTried(true)
    if (wrong === undefined && amountMicro !== undefined) withdraw.mutate(amountMicro)
  }
  return (
    <Dialog
      title={`Withdraw from ${agent.name}`}
      description="The transfer costs you no fee and no gas."
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen && !withdraw.isPending) onClose()
      }}
    >
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        <Field
          label="Amount"
          isRequired
          hint={
            most === undefined ? (
              'Checking the balance.'
            ) : (
              <>
                Up to <Money micro={most} />
                {limit !== undefined && limit === most && ', the limit that you set for this agent'}
              </>
            )
          }
          error={(isTried ? wrong : undefined) ?? refusals.amount}
        >
          <div className="flex gap-2">
            <MoneyInput className="flex-1" valueMicro={amountMicro} onChangeMicro={setAmountMicro} />
            <Button isDisabled={most === undefined || most === 0n} onClick={() => setAmountMicro(most)}>
              Max
            </Button>
          </div>
        </Field>
        <dl className="flex flex-col rounded-box bg-sunken px-4 py-2 text-14">
          <Line label={`Leaves the wallet of ${agent.name}`}>
            <Money micro={amountMicro ?? 0n} />
          </Line>
          <Line label="Fee">
            <Money micro={0n} />
          </Line>
          <Line label="Arrives in your wallet">
            <Money micro={amountMicro ?? 0n} className="font-medium" />
          </Line>
          {walletAddress && (
            <Line label="Your wallet">
              <Address address={walletAddress} />
            </Line>
          )}
        </dl>
        {withdraw.error && Object.keys(refusals).length === 0 && <ErrorState error={withdraw.error} />}
        <div className="mt-2 flex flex-wrap justify-end gap-2">
          <Button look="quiet" isDisabled={withdraw.isPending} onClick={onClose}>
            Not now
          </Button>
          <Button type="submit" look="primary" isBusy={withdraw.isPending}>
            {amountMicro && wrong === undefined ? `Withdraw ${usdcText(amountMicro)} USDC` : 'Withdraw'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function whatIsWrong(amountMicro: bigint | undefined, mostMicro: bigint | undefined): string | undefined {
  if (amountMicro === undefined || amountMicro === 0n) return 'Write an amount like 150 or 0.25.'
  if (mostMicro !== undefined && amountMicro > mostMicro) return `At most ${usdcText(mostMicro)} USDC.`
  return undefined
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex min-h-8 items-center justify-between gap-4 py-1">
      <dt className="text-ink-muted">{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
