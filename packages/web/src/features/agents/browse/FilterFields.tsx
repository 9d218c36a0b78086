import { useCallback, useState } from 'react'
import { Button } from '../../../components/buttons/Button.tsx'
import { Field } from '../../../components/forms/Field.tsx'
import { Checkbox, Select } from '../../../components/forms/inputs.tsx'
import { MoneyInput } from '../../../components/forms/MoneyInput.tsx'
import { useDraft } from '../../../components/forms/useDraft.ts'
import { inputUsdc, parseUsdc } from '../../../format/money.ts'
import { RecordFilters } from './RecordFilters.tsx'
import { recordChoices } from './record-filters.ts'
import { SkillFilter } from './SkillFilter.tsx'
import { useBrowseSearch } from './useBrowseSearch.ts'

const ratings = [3, 4, 4.5]

/** Everything that narrows the list beside words and type. */
export default function FilterFields({ skills }: { skills: readonly string[] }) {
  const [search, change] = useBrowseSearch()
  const [isWide, setIsWide] = useState(() => recordChoices.some(({ filter }) => search[filter] !== undefined))
  const [maxMicro, setMaxMicro] = useDraft(
    search.maxPrice === undefined ? undefined : parseUsdc(search.maxPrice),
    useCallback(
      (micro: bigint | undefined) => change({ maxPrice: micro === undefined ? undefined : inputUsdc(micro) }),
      [change],
    ),
  )
  return (
    <fieldset id="agent-filters" className="grid w-full grid-cols-2 gap-3 pt-2 lg:grid-cols-4">
      <legend className="sr-only">Filters</legend>
      <Field label="Rating" hidesOptional>
        <Select
          value={search.minRating ?? ''}
          onChange={({ target }) => change({ minRating: target.value ? Number(target.value) : undefined })}
        >
          <option value="">Any</option>
          {ratings.map((rating) => (
            <option key={rating} value={rating}>
              {rating.toFixed(1)} and up
            </option>
          ))}
          {search.minRating !== undefined && !ratings.includes(search.minRating) && (
            <option value={search.minRating}>{search.minRating} and up</option>
          )}
        </Select>
      </Field>
      <Field label="Price at most" hidesOptional>
        <MoneyInput placeholder="Any" valueMicro={maxMicro} onChangeMicro={setMaxMicro} />
      </Field>
      <SkillFilter
        known={skills}
        chosen={search.skills?.split(',') ?? []}
        onChange={(chosen) => change({ skills: chosen.join(',') || undefined })}
      />
      <Checkbox
        label="Paid at once"
        hint="Sells below 100 USDC by x402"
        className="col-span-2 self-end lg:col-span-1 lg:-mb-2.5"
        checked={search.x402 ?? false}
        onChange={({ target }) => change({ x402: target.checked || undefined })}
      />
      {isWide && <RecordFilters />}
      <div className="col-span-full flex flex-wrap items-center gap-x-3">
        <Checkbox
          label="Online now"
          checked={search.online ?? false}
          onChange={({ target }) => change({ online: target.checked || undefined })}
        />
        <Button
          size="small"
          look="quiet"
          aria-expanded={isWide}
          aria-controls="agent-filters"
          onClick={() => setIsWide(!isWide)}
        >
          {isWide ? 'Hide the delivery record' : 'Filter by delivery record'}
        </Button>
      </div>
    </fieldset>
  )
}
