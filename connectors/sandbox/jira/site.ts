import { type Project, projects } from './screens.ts'

/** What a route answers; `body` null: nothing. */
export type Reply = { status: number; body: unknown }
export type Json = Record<string, unknown>

type StatusRecord = { id: string; name: string; category: 'new' | 'indeterminate' | 'done' }
export type Resolution = { id: string; name: string }
type CommentRecord = { id: string; body: unknown; properties: unknown }
export type IssueRecord = {
  id: string
  key: string
  project: Project
  typeId: string
  fields: Json
  status: StatusRecord
  /** Null: none was set, or the project has none. */
  resolution: Resolution | null
  properties: Record<string, unknown>
  comments: CommentRecord[]
  /** False: the search does not show it yet. */
  searchable: boolean
  /** False: nobody who is signed in here may see it. */
  visible: boolean
}
type Person = { accountId: string; displayName: string; active: boolean }

export const STATUSES: readonly StatusRecord[] = [
  { id: '1', name: 'To Do', category: 'new' },
  { id: '2', name: 'In Progress', category: 'indeterminate' },
  { id: '3', name: 'Done', category: 'done' },
  { id: '4', name: 'Won’t do', category: 'done' },
]

export const ok = (body: unknown): Reply => ({ status: 200, body })
export const done: Reply = { status: 204, body: null }
export const refused = (errors: Record<string, string>, messages: string[] = []): Reply => ({
  status: 400,
  body: { errorMessages: messages, errors },
})
/** A 404 as Jira words it, which does not say whether there is such a thing. */
export const missing = (message = 'Issue does not exist or you do not have permission to see it.'): Reply => ({
  status: 404,
  body: { errorMessages: [message], errors: {} },
})

/** A site of a made-up company. Ids of two sites are the same, as they can be. */
export class Site {
  readonly id: string
  readonly name: string
  readonly host: string
  readonly projects: Project[] = projects()
  readonly people: Person[] = Array.from({ length: 60 }, (_, index) => ({
    accountId: `5b10ac8d82e05b22cc7d${String(index).padStart(4, '0')}`,
    displayName: index === 0 ? 'Tally Turner' : `Person ${index}`,
    active: index !== 1,
  }))
  readonly issues: IssueRecord[] = []
  /** Permissions that the sign-in lacks. */
  readonly denied = new Set<string>()
  /** Names of fields that only the workflow requires, by their ids: `createmeta` does not say so. */
  readonly requiredByWorkflow: Record<string, string> = {}
  /** As in many workflows: the text of a closed issue cannot be changed. */
  closedIsReadOnly = false
  /** False: errors of fields come as sentences only, as from some workflows. */
  namesFields = true
  /** Every request is answered by something that is not Jira, as when a site is suspended. */
  suspended = false
  /** Statuses to which there is no transition, by their names. */
  readonly unreachable = new Set<string>()
  #lagging = false
  #last = 10_000

  constructor(id: string, name: string, host: string) {
    this.id = id
    this.name = name
    this.host = host
  }

  get lagging(): boolean {
    return this.#lagging
  }

  lag(on: boolean): void {
    this.#lagging = on
    if (!on) for (const issue of this.issues) issue.searchable = true
  }

  nextId(): string {
    this.#last += 1
    return String(this.#last)
  }

  project(idOrKey: unknown): Project | undefined {
    return this.projects.find(({ id, key, live }) => live && (id === idOrKey || key === idOrKey))
  }

  /** An issue that the sign-in can see. */
  issue(idOrKey: string): IssueRecord | undefined {
    return this.issues.find(({ id, key, visible }) => visible && (id === idOrKey || key === idOrKey))
  }

  /** As a person sees it; throws where there is none. */
  known(id: string): IssueRecord {
    const issue = this.issues.find((one) => one.id === id)
    if (!issue) throw new Error(`There is no issue ${id}`)
    return issue
  }

  statusOf(category: StatusRecord['category'], name?: string): StatusRecord {
    const status = STATUSES.find((one) => one.category === category && (name === undefined || one.name === name))
    if (!status) throw new Error(`There is no status ${name ?? category}`)
    return status
  }
}

export const viewStatus = ({ id, name, category }: StatusRecord): Json => ({
  id,
  name,
  statusCategory: { id: { new: 2, indeterminate: 4, done: 3 }[category], key: category, name: category },
})

export const viewPerson = ({ accountId, displayName, active }: Person): Json => ({
  accountId,
  accountType: 'atlassian',
  displayName,
  active,
})

export function viewIssue(site: Site, issue: IssueRecord, fields: readonly string[]): Json {
  const { status, resolution, project } = issue
  const all: Json = { ...issue.fields, status: viewStatus(status), resolution, project: { id: project.id } }
  const shown = Object.entries(all).filter(([name]) => fields.includes(name) || fields.includes('*all'))
  const self = `https://${site.host}/rest/api/3/issue/${issue.id}`
  return { id: issue.id, key: issue.key, self, fields: Object.fromEntries(shown) }
}
