import { DIGEST_KINDS, type DigestChoice, digestKinds, hasWeekday } from '@groundswell/contract/digests.ts'
import { Select } from '../../ui/field.tsx'
import { HOURS, hourText, WEEKDAYS } from './digest-words.ts'

type ChoiceSelectProps = {
  label: string
  choice: DigestChoice
  disabled: boolean
  onChange: (part: Partial<DigestChoice>) => void
}

/** The choice of how often a digest comes. `off`: the label of none. */
export function FrequencySelect({ label, off, choice, disabled, onChange }: ChoiceSelectProps & { off: string }) {
  return (
    <Select
      aria-label={label}
      className="w-28"
      disabled={disabled}
      value={choice.frequency}
      onChange={({ target }) => onChange({ frequency: target.value as DigestChoice['frequency'] })}
    >
      <option value="off">{off}</option>
      {digestKinds.map((kind) => (
        <option key={kind} value={kind}>
          {DIGEST_KINDS[kind].label}
        </option>
      ))}
    </Select>
  )
}

/** The choice of the day on which a digest comes, where it comes on one. */
export function WeekdaySelect({ label, choice, disabled, onChange }: ChoiceSelectProps) {
  if (!hasWeekday(choice.frequency)) return null
  return (
    <Select
      aria-label={label}
      className="w-36"
      disabled={disabled}
      value={choice.weekday}
      onChange={({ target }) => onChange({ weekday: Number(target.value) })}
    >
      {WEEKDAYS.map((name, place) => (
        <option key={name} value={place + 1}>
          {name}
        </option>
      ))}
    </Select>
  )
}

type HourSelectProps = { label: string; hour: number; disabled?: boolean; onChange: (hour: number) => void }

/** The choice of an hour of the day. */
export function HourSelect({ label, hour, disabled = false, onChange }: HourSelectProps) {
  return (
    <Select
      aria-label={label}
      className="w-28"
      disabled={disabled}
      value={hour}
      onChange={({ target }) => onChange(Number(target.value))}
    >
      {HOURS.map((one) => (
        <option key={one} value={one}>
          {hourText(one)}
        </option>
      ))}
    </Select>
  )
}
