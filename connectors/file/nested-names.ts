import { nameOf } from './names.ts'

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

/** What is around a person in JSON: the message, and what only holds fields. */
const AROUND = new Set(
  words(`data node fields attributes properties payload source _source item record message ticket review comment issue conversation post
  thread response answer feedback event`),
)
const PEOPLE = new Set(
  words(`author user customer client requester reporter reviewer submitter sender from creator created_by contact member person owner_user
  end_user buyer subscriber visitor respondent participant`),
)
/** What is between a person and the name. */
const PROFILE = new Set(
  words('profile details info attributes data identity person user contact account email_address'),
)
const COMPANIES = new Set(words('company organisation organization org account firm business employer tenant'))

/** Likeliest first. */
const PERSON_NAMES =
  words(`name display_name full_name real_name email email_address address username user_name login screen_name
  nickname handle first_name`)
const COMPANY_NAMES = words('name display_name title legal_name domain')

/**
 * Whether a field inside objects (`user.profile.name`) is the name of a person, or of a company (`customer.company.name`): then how likely it
 * is that name, from 0, the likeliest. Null for other fields, and for people of the own side (`assignee.name`).
 */
export function nestedName(role: 'author' | 'customer', path: string): number | null {
  const names = path.split('.').map(nameOf)
  if (names.length < 2) return null
  const own = names.slice(names.findIndex((name) => !AROUND.has(name)))
  const last = own.at(-1) ?? ''
  const around = own.slice(0, -1)
  if (role === 'author') {
    const [who = '', ...rest] = around
    return PEOPLE.has(who) && rest.every((name) => PROFILE.has(name)) ? placeIn(PERSON_NAMES, last) : null
  }
  const isNamed = COMPANIES.has(around.at(-1) ?? '')
  const before = isNamed ? around.slice(0, -1) : around
  if (!before.every((name) => PEOPLE.has(name) || PROFILE.has(name))) return null
  if (isNamed) return placeIn(COMPANY_NAMES, last)
  return before.length > 0 && COMPANIES.has(last) ? 0 : null
}

function placeIn(names: readonly string[], name: string): number | null {
  const place = names.indexOf(name)
  return place < 0 ? null : place
}
