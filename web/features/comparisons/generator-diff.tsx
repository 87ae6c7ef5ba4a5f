import clsx from 'clsx'
import { Select } from '../../ui/field.tsx'
import { Switch } from '../../ui/switch.tsx'
import { useAddressParts } from '../../ui/use-address-parts.ts'
import type { ComparisonView } from './comparison-view.ts'
import { generatorAt, type KeptPart } from './flow-address.ts'
import { type DiffEntry, type DiffPart, diffGenerators } from './word-diff.ts'

type GeneratorDiffProps = { generators: readonly string[]; comparison: ComparisonView }

/** Two generators compared word by word. */
export function GeneratorDiff({ generators, comparison }: GeneratorDiffProps) {
  const [address, setParts] = useAddressParts<KeptPart>()
  const first = generatorAt(generators, address.get('first'), 0)
  const second = generatorAt(generators, address.get('second'), 1)
  const onlyDifferent = address.get('different') === '1'
  const rows = diffGenerators(comparison, first, second)
  const shown = onlyDifferent
    ? rows.map((entries) => entries.filter(({ same }) => !same)).filter((entries) => entries.length > 0)
    : rows
  return (
    <section aria-label="Differences" className="mt-3 rounded border border-line bg-surface">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-2">
        <Choice
          label="First generator"
          generators={generators}
          value={first}
          onChange={(name) => setParts({ first: name })}
        />
        <span className="text-muted">against</span>
        <Choice
          label="Second generator"
          generators={generators}
          value={second}
          onChange={(name) => setParts({ second: name })}
        />
        <div className="sm:ml-auto">
          <Switch
            label="Differences only"
            checked={onlyDifferent}
            onChange={(isOn) => setParts({ different: isOn ? '1' : '' })}
          />
        </div>
      </div>
      {rows.length === 0 ? null : (
        <p className="flex flex-wrap gap-x-3 gap-y-1 px-4 pt-3 text-small">
          <Part part={{ text: 'Only in the first', side: 'first' }} />
          <Part part={{ text: 'Only in the second', side: 'second' }} />
        </p>
      )}
      {shown.length === 0 ? (
        <p className="px-4 py-6 text-center text-muted">
          {rows.length === 0 ? 'Neither generator has a response for this input.' : 'The responses are identical.'}
        </p>
      ) : (
        shown.map((entries, index) => <Response key={index} entries={entries} />)
      )}
    </section>
  )
}

type ChoiceProps = {
  label: string
  generators: readonly string[]
  value: number
  onChange: (name: string) => void
}

function Choice({ label, generators, value, onChange }: ChoiceProps) {
  return (
    <Select
      aria-label={label}
      className="min-w-0 max-w-full"
      value={value}
      onChange={(event) => onChange(generators[Number(event.target.value)] ?? '')}
    >
      {generators.map((name, index) => (
        <option key={`${index} ${name}`} value={index}>
          {name}
        </option>
      ))}
    </Select>
  )
}

function Response({ entries }: { entries: readonly DiffEntry[] }) {
  return (
    <dl className="space-y-2 border-b border-line px-4 py-3 last:border-0">
      {entries.map(({ key, parts }) => (
        <div key={key}>
          <dt className="text-small font-medium text-muted">{key}</dt>
          <dd dir="auto" className="break-words whitespace-pre-wrap">
            {parts.map((part, index) => (
              <Part key={index} part={part} />
            ))}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Part({ part: { text, side } }: { part: DiffPart }) {
  if (side === 'both') return text
  const Mark = side === 'first' ? 'del' : 'ins'
  return (
    <Mark
      className={clsx(
        'rounded-small px-0.5',
        side === 'first' ? 'bg-bad-soft text-bad' : 'bg-good-soft text-good no-underline',
      )}
    >
      {text}
    </Mark>
  )
}
