import { Fragment } from 'react'
import { Money } from '../../components/money/Money.tsx'
import { Card } from '../../components/page/Card.tsx'
import { TimeAgo } from '../../components/text/Time.tsx'
import { cx } from '../../design/cx.ts'
import { ChainAddress } from './ChainAddress.tsx'
import type { ChainTransaction } from './read-transaction.ts'
import type { Part, Sentence } from './sentence.ts'

/** What it did, in the order of weight. */
export function TxSentences({ transaction }: { transaction: ChainTransaction }) {
  const { sentences, unknownEvents, state } = transaction
  return (
    <Card className="flex flex-col gap-3">
      <h2 className="text-16 font-semibold">What it did</h2>
      {state === 'failed' && <p>Nothing: the chain refused it, and no money has moved.</p>}
      {state === 'waiting' && <p>It waits for a block. That takes seconds.</p>}
      <ul className="flex flex-col gap-2">
        {sentences.map((sentence, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a transaction's events have no other name than their place
          <Line key={index} sentence={sentence} />
        ))}
      </ul>
      {unknownEvents > 0 && (
        <p className="text-14 text-ink-faint">
          {unknownEvents} more {unknownEvents === 1 ? 'event' : 'events'} of contracts that are not the
          marketplace’s.
        </p>
      )}
      {sentences.length === 0 && unknownEvents === 0 && (state === 'confirmed' || state === 'final') && (
        <p className="text-14 text-ink-muted">It wrote no event.</p>
      )}
    </Card>
  )
}

function Line({ sentence: { parts, isQuiet } }: { sentence: Sentence }) {
  return (
    <li className={cx('flex gap-3', isQuiet && 'text-14 text-ink-muted')}>
      <span aria-hidden className={cx('mt-2 size-2 shrink-0 rounded-pill', isQuiet ? 'bg-line' : 'bg-ink')} />
      <p className="min-w-0 first-letter:uppercase">
        {parts.map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never change places
          <Fragment key={index}>
            <Word part={part} />
          </Fragment>
        ))}
      </p>
    </li>
  )
}

function Word({ part }: { part: Part }) {
  if (typeof part === 'string') return part
  if (part.kind === 'money') return <Money micro={part.micro} className="font-medium" />
  if (part.kind === 'address') return <ChainAddress address={part.address} />
  return <TimeAgo at={new Date(Number(part.atSeconds) * 1000).toISOString()} />
}
