import { type AgentDetail, railFor } from '@agent-marketplace/contract'
import { MAX_BYTES_OF_JOB, MAX_FILES_AT_ONCE, MAX_JOB_FILE_BYTES } from '@agent-marketplace/contract/lengths'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { Button } from '../../../components/buttons/Button.tsx'
import { Field } from '../../../components/forms/Field.tsx'
import { FilePicker } from '../../../components/forms/FilePicker.tsx'
import { MoneyInput } from '../../../components/forms/MoneyInput.tsx'
import { MoneyFlow } from '../../../components/money/MoneyFlow.tsx'
import { Card } from '../../../components/page/Card.tsx'
import { ErrorState } from '../../../components/page/ErrorState.tsx'
import { fieldErrors } from '../../../data/connection/field-errors.ts'
import { handInFile } from '../../../data/files.ts'
import { jobQuoteQuery } from '../../../data/jobs/job-quote.ts'
import { fileSize } from '../../../format/file-kind.ts'
import { useClient, useOwner } from '../../../session/SessionProvider.tsx'
import { ChosenService } from '../ChosenService.tsx'
import { customOrderWords } from '../custom-orders.ts'
import { DeadlineFields } from '../DeadlineFields.tsx'
import { PaymentChoice } from '../PaymentChoice.tsx'
import { RouteNote } from '../RouteNote.tsx'
import { ServiceChoice } from '../ServiceChoice.tsx'
import { OrderInput } from './OrderInput.tsx'
import { OrderWords } from './OrderWords.tsx'
import { inputServiceOf, type Order, orderBody, withService } from './order.ts'
import { keepOrder } from './order-storage.ts'
import { useInputProblems } from './useInputProblems.ts'

/** Where the service's names for fields are not the form's. */
const fieldOf: Record<string, keyof Order> = {
  title: 'title',
  description: 'description',
  agreedPrice: 'priceMicro',
  deadlineHours: 'deadlineHours',
  deadline: 'deadlineAt',
  files: 'files',
}

const FILE_LIMITS = `Up to ${MAX_FILES_AT_ONCE} files of ${fileSize(MAX_JOB_FILE_BYTES)} each, ${fileSize(MAX_BYTES_OF_JOB)} together.`

/** The order. The service looks it over before anything is signed. */
export function OrderForm({ agent, start }: { agent: AgentDetail; start: Order }) {
  const client = useClient()
  const owner = useOwner()
  const queries = useQueryClient()
  const navigate = useNavigate({ from: '/agents/$wallet/hire' })
  const [refusal, setRefusal] = useState<unknown>()
  const [isUploading, setIsUploading] = useState(false)
  const form = useForm<Order>({ defaultValues: start })
  const { register, handleSubmit, watch, setValue, setError, clearErrors, reset, subscribe, formState } = form
  const { errors, isSubmitting } = formState
  const { walletAddress } = agent
  const [serviceId, priceMicro, buyerProtection, files] = watch([
    'serviceId',
    'priceMicro',
    'buyerProtection',
    'files',
  ])
  const isPriced = priceMicro !== '' && priceMicro !== '0'
  const rail = railFor(BigInt(priceMicro || 0))
  const inputService = inputServiceOf(agent, { serviceId })
  const chosen = agent.services.find(({ id }) => id === serviceId)
  const { fields, problems, findProblems, showIssues } = useInputProblems(inputService)

  useEffect(
    () =>
      subscribe({
        formState: { values: true },
        callback: ({ values }) => keepOrder(owner.id, walletAddress, values),
      }),
    [subscribe, owner.id, walletAddress],
  )

  const review = async (order: Order) => {
    setRefusal(undefined)
    keepOrder(owner.id, walletAddress, order)
    if (findProblems(order.input)) return
    try {
      await queries.fetchQuery(jobQuoteQuery(client, orderBody(agent, order)))
    } catch (error) {
      const isShown = showIssues(error)
      const wrong = Object.entries(fieldErrors(error))
      for (const [name, message] of wrong) {
        const field = fieldOf[name]
        if (field) setError(field, { message }, { shouldFocus: true })
      }
      if (!isShown && !wrong.some(([name]) => fieldOf[name])) setRefusal(error)
      return
    }
    await navigate({ search: (before) => ({ ...before, step: 'review' }) })
  }

  register('priceMicro', { validate: (price) => BigInt(price || 0) > 0n || 'Enter a price above zero.' })
  return (
    <form
      noValidate
      onSubmit={handleSubmit(review)}
      className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem] lg:gap-8"
    >
      <Card className="flex min-w-0 flex-col gap-6">
        {agent.services.length > 0 && (
          <ServiceChoice
            services={agent.services}
            chosenId={serviceId}
            customOrders={agent.customOrders}
            onChoose={(service) => {
              const order = form.getValues()
              reset(service ? withService(order, service) : { ...order, serviceId: '' }, {
                keepErrors: false,
              })
              keepOrder(owner.id, walletAddress, form.getValues())
              navigate({ search: service ? { service: service.id } : {}, replace: true, resetScroll: false })
            }}
          />
        )}
        {agent.services.length === 0 && (
          <p className="text-14 text-ink-muted">{customOrderWords[agent.customOrders]}</p>
        )}
        {serviceId === '' && (
          <Field
            label="Your price"
            hint="It decides how you pay: below 100 USDC directly or with buyer protection, from 100 USDC on by escrow."
            isRequired
            error={errors.priceMicro?.message}
          >
            <MoneyInput
              className="max-w-60"
              valueMicro={priceMicro === '' ? undefined : BigInt(priceMicro)}
              onChangeMicro={(micro) =>
                setValue('priceMicro', micro?.toString() ?? '', { shouldValidate: formState.isSubmitted })
              }
            />
          </Field>
        )}
        {inputService ? (
          <OrderInput form={form} service={inputService} fields={fields} problems={problems} />
        ) : (
          <OrderWords form={form} />
        )}
        <DeadlineFields form={form} />
        {isPriced && (
          <PaymentChoice
            priceMicro={BigInt(priceMicro)}
            isProtected={buyerProtection}
            onChange={(isProtected) => setValue('buyerProtection', isProtected)}
          />
        )}
        <FilePicker
          label="Files to attach"
          hint={FILE_LIMITS}
          files={files}
          onChange={(next) => {
            clearErrors('files')
            setValue('files', next)
          }}
          upload={(file, onProgress) => handInFile(client, file, onProgress)}
          max={MAX_FILES_AT_ONCE}
          maxBytes={MAX_JOB_FILE_BYTES}
          onBusyChange={setIsUploading}
        />
        {errors.files?.message && (
          <p role="alert" className="text-14 text-danger">
            {errors.files.message}
          </p>
        )}
      </Card>
      <aside aria-label="Price" className="flex flex-col gap-4 lg:sticky lg:top-20">
        <Card className="flex flex-col gap-4">
          {chosen && <ChosenService service={chosen} />}
          {isPriced ? (
            <>
              <MoneyFlow priceMicro={priceMicro} buyerProtection={buyerProtection} />
              {rail.holdsMoney && <RouteNote method={rail.method} />}
            </>
          ) : (
            <p className="text-14 text-ink-muted">Name a price to see what you pay and what arrives.</p>
          )}
          {refusal !== undefined && <ErrorState error={refusal} />}
          <Button type="submit" look="primary" isBusy={isSubmitting} isDisabled={isUploading}>
            Review order
          </Button>
          <p className="text-12 text-ink-muted">Nothing is signed or paid yet.</p>
        </Card>
      </aside>
    </form>
  )
}
