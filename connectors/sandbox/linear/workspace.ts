import { randomUUID } from 'node:crypto'
import { connection } from './filter.ts'

export type State = { id: string; name: string; type: string; position: number }
type Comment = { id: string; body: string }
type Attachment = { id: string; url: string; title: string }
type CustomerRequest = { id: string; customerId: string; body: string }
type Page = { first?: number; after?: string | null; filter?: unknown }
type Label = {
  id: string
  name: string
  isGroup: boolean
  parent: { id: string; name: string } | null
  team: { id: string } | null
}
type Person = { id: string; name: string; isAssignable: boolean }
type Project = { id: string; name: string }

export class Team {
  readonly id = randomUUID()
  readonly name: string
  readonly key: string
  archivedAt: string | null = null
  retiredAt: string | null = null
  readonly all: { states: State[]; projects: Project[]; members: Person[] }

  constructor(name: string, key: string, members: Person[], projects: string[]) {
    this.name = name
    this.key = key
    const state = (stateName: string, type: string, position: number) => ({
      id: randomUUID(),
      name: stateName,
      type,
      position,
    })
    this.all = {
      members,
      projects: projects.map((project) => ({ id: randomUUID(), name: project })),
      states: [
        state('Done', 'completed', 40),
        state('In progress', 'started', 30),
        state('Todo', 'unstarted', 20),
        state('Next up', 'unstarted', 10),
        state('Backlog', 'backlog', 5),
        state('Won’t do', 'canceled', 50),
        state('Duplicate', 'duplicate', 60),
      ],
    }
  }

  states = (page: Page) => connection(this.all.states, page)
  projects = (page: Page) => connection(this.all.projects, page)
  members = (page: Page) => connection(this.all.members, page)

  state(type: string): State {
    const state = this.all.states.filter((one) => one.type === type).toSorted((a, b) => a.position - b.position)[0]
    if (!state) throw new Error(`There is no state of type ${type}`)
    return state
  }
}

export type Issue = {
  id: string
  identifier: string
  url: string
  title: string
  description: string
  team: Team
  state: State
  labelIds: readonly string[]
  projectId: string | null
  assigneeId: string | null
  priority: number
  archivedAt: string | null
  trashed: boolean | null
  comments: Comment[]
  attachments: Attachment[]
  requests: CustomerRequest[]
  /** Lists contain it. */
  listed: boolean
  /** The sign-in can see it: false in a private team. */
  visible: boolean
}

/** The made-up workspace: a team with everything, another one, labels of both kinds, and more people than a page. */
export class Workspace {
  readonly organization = { id: randomUUID(), name: 'Fernweh' }
  readonly viewer = { id: randomUUID(), name: 'Tally Turner' }
  readonly people: Person[] = Array.from({ length: 60 }, (_, index) => ({
    id: randomUUID(),
    name: index === 0 ? 'Ada Acker' : `Person ${index}`,
    isAssignable: index !== 1,
  }))
  readonly teams = [
    new Team('Product', 'PRD', this.people, ['Faster exports', 'Mobile app']),
    new Team('Operations', 'OPS', this.people.slice(0, 2), []),
  ]
  readonly #area = { id: randomUUID(), name: 'Area' }
  readonly labels: Label[] = [
    { id: randomUUID(), name: 'Feedback', isGroup: false, parent: null, team: null },
    { ...this.#area, isGroup: true, parent: null, team: null },
    { id: randomUUID(), name: 'Reports', isGroup: false, parent: this.#area, team: null },
    { id: randomUUID(), name: 'Product only', isGroup: false, parent: null, team: { id: this.team(0).id } },
    { id: randomUUID(), name: 'Operations only', isGroup: false, parent: null, team: { id: this.team(1).id } },
  ]
  /** Two companies have the same name. */
  readonly customers: { id: string; name: string }[] = ['Acme', 'Globex', 'Initech', 'Initech'].map((name) => ({
    id: randomUUID(),
    name,
  }))
  readonly issues: Issue[] = []
  /** Ids of comments that someone deleted: they stay taken. */
  readonly deletedComments: string[] = []
  lagging = false

  team(index: number): Team {
    const team = this.teams[index]
    if (!team) throw new Error(`There is no team ${index}`)
    return team
  }

  /** An issue that exists, also in the trash. */
  issue(id: string): Issue | undefined {
    return this.issues.find((issue) => issue.id === id)
  }

  lag(on: boolean): void {
    this.lagging = on
    if (!on) for (const issue of this.issues) issue.listed = true
  }
}
