import type { TeamMember } from '@groundswell/contract/team.ts'
import { User, X } from 'lucide-react'
import type { MenuEntry } from '../../../ui/overlays/menu.tsx'
import { nameOf } from '../../team/index.ts'

const names = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
const MAX_KEYS = 9

/** The people who may work on an insight: the user first, then by name. */
export function assignable(members: readonly TeamMember[]): TeamMember[] {
  return members
    .filter(({ role }) => role !== 'viewer')
    .toSorted((one, other) => Number(other.is_me) - Number(one.is_me) || names.compare(nameOf(one), nameOf(other)))
}

/** The entries of a menu that assigns: the first nine people by a digit, nobody by 0. */
export function assignEntries(
  people: readonly TeamMember[],
  choose: (person: TeamMember | null) => void,
  isAssigned: boolean,
): MenuEntry[] {
  const entries: MenuEntry[] = people.map((person, place) => ({
    label: person.is_me ? `${nameOf(person)} (you)` : nameOf(person),
    Icon: User,
    ...(place < MAX_KEYS ? { shortcut: String(place + 1) } : {}),
    onSelect: () => choose(person),
  }))
  if (!isAssigned) return entries
  return [...entries, { kind: 'line' }, { label: 'Nobody', Icon: X, shortcut: '0', onSelect: () => choose(null) }]
}
