import { Choice } from './choice.tsx'

const OPTIONS = [
  { value: 'me', label: 'Assigned to me' },
  { value: 'someone', label: 'Assigned to someone' },
  { value: 'nobody', label: 'Assigned to nobody' },
]

/** Shows only the insights that are assigned to the person who looks, to someone, or to nobody. */
export function AssignedFilter({ chosen, onChoose }: { chosen: string; onChoose: (assigned: string) => void }) {
  return <Choice label="Assigned" any="Any assignee" value={chosen} options={OPTIONS} onChoose={onChoose} />
}
