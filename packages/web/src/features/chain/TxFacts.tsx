import { Address } from '../../components/money/Address.tsx'
import { Card, Fact } from '../../components/page/Card.tsx'
import { Badge } from '../../components/status/StatusBadge.tsx'
import type { Tone } from '../../components/status/status-words.ts'
import { TimeAgo } from '../../components/text/Time.tsx'
import type { ChainTransaction } from './read-transaction.ts'

const states: Record<ChainTransaction['state'], [Tone, string]> = {
  waiting: ['pending', 'Waits for a block'],
  confirmed: ['active', 'Confirmed'],
  final: ['done', 'Final'],
  failed: ['disputed', 'Failed'],
}

export function TxFacts({ transaction: { state, block, from, to } }: { transaction: ChainTransaction }) {
  const [tone, word] = states[state]
  return (
    <Card>
      <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
        <Fact label="Status">
          <Badge tone={tone}>{word}</Badge>
        </Fact>
        <Fact label="Block">
          <span className="font-mono">{block ? block.number.toLocaleString('en') : '–'}</span>
        </Fact>
        <Fact label="Confirmations">
          <span className="font-mono">{block ? block.confirmations.toLocaleString('en') : '0'}</span>
        </Fact>
        <Fact label="Time">
          {block ? <TimeAgo at={new Date(Number(block.atSeconds) * 1000).toISOString()} /> : '–'}
        </Fact>
        <Fact label="From">
          <Address address={from} />
        </Fact>
        <Fact label="To">{to ? <Address address={to} /> : 'A new contract'}</Fact>
        <Fact label="Gas used">
          <span className="font-mono">{block ? block.gasUsed.toLocaleString('en') : '–'}</span>
        </Fact>
      </dl>
    </Card>
  )
}
