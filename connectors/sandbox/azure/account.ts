import { randomUUID } from 'node:crypto'

type State = { name: string; category: string; color: string }
type Field = {
  referenceName: string
  name: string
  alwaysRequired: boolean
  defaultValue: string | null
  allowedValues: readonly string[]
}
export type ItemType = { name: string; isDisabled: boolean; states: State[]; fields: Field[] }
type Comment = { id: number; text: string; isDeleted?: boolean }
type Area = { name: string; children: Area[] }
export type Project = {
  id: string
  name: string
  teamId: string
  types: ItemType[]
  areas: Area
  members: { displayName?: string; uniqueName?: string; isContainer?: boolean }[]
}
export type Item = {
  id: number
  rev: number
  project: Project
  type: ItemType
  fields: Record<string, unknown>
  relations: { rel: string; url: string; attributes: Record<string, unknown> }[]
  comments: Comment[]
  /** Queries contain it. */
  listed: boolean
  deleted: boolean
  /** The sign-in can see it: false in an area without the right to read. */
  visible: boolean
}

const state = (name: string, category: string): State => ({ name, category, color: 'b2b2b2' })
const field = (referenceName: string, name: string, rest: Partial<Field> = {}): Field => ({
  referenceName,
  name,
  alwaysRequired: true,
  defaultValue: null,
  allowedValues: [],
  ...rest,
})
const STANDARD = () => [
  field('System.Title', 'Title'),
  field('System.State', 'State', { defaultValue: 'To Do' }),
  field('System.AreaId', 'Area ID'),
  field('System.Description', 'Description', { alwaysRequired: false }),
]

function typesOf(): ItemType[] {
  return [
    {
      name: 'Issue',
      isDisabled: false,
      states: [
        state('To Do', 'Proposed'),
        state('Doing', 'InProgress'),
        state('Testing', 'Resolved'),
        state('Done', 'Completed'),
        state('Removed', 'Removed'),
      ],
      fields: STANDARD(),
    },
    {
      name: 'Customer Problem',
      isDisabled: false,
      states: [state('New', 'Proposed'), state('Closed', 'Completed')],
      fields: [
        ...STANDARD(),
        field('Custom.Channel', 'Channel', { allowedValues: ['Mail', 'Phone'] }),
        field('Custom.Product', 'Product'),
        field('Microsoft.VSTS.Common.Priority', 'Priority', { defaultValue: '2', allowedValues: ['1', '2'] }),
      ],
    },
    {
      name: 'Bug',
      isDisabled: false,
      states: [state('New', 'Proposed'), state('Active', 'InProgress'), state('Closed', 'Completed')],
      fields: [...STANDARD(), field('Microsoft.VSTS.TCM.ReproSteps', 'Repro Steps', { alwaysRequired: false })],
    },
    { name: 'Old type', isDisabled: true, states: [state('New', 'Proposed')], fields: STANDARD() },
  ]
}

function projectNamed(name: string): Project {
  const leaf = (text: string, ...children: Area[]): Area => ({ name: text, children })
  return {
    id: randomUUID(),
    name,
    teamId: randomUUID(),
    types: typesOf(),
    areas: leaf(name, leaf('Website', leaf('Search')), leaf('Mobile')),
    members: Array.from({ length: 60 }, (_, index) => ({
      displayName: index === 0 ? 'Ada Acker' : `Person ${index}`,
      uniqueName: `person-${index}@fabrikam.example`,
    })),
  }
}

/** The made-up organisation: two projects, each with types, areas and more people than are listed at once. */
export class Account {
  /** On a server, the collection. */
  readonly organisation: string
  /** The organisations of the person who signs in. */
  organisations: string[]
  readonly person = { id: randomUUID(), displayName: 'Tally Turner' }
  readonly projects: Project[] = ['Fernweh', 'Operations'].map(projectNamed)
  readonly items: Item[] = []
  lagging = false
  /** Whether the response to a check has the fields that the item would get: it is not documented. */
  describesChecks = true
  /** Rules of the process: no change of a state, of closed items, of a description. */
  rules = { state: false, closed: false, description: false }
  #lastComment = 100

  constructor(organisation: string) {
    this.organisation = organisation
    this.organisations = [organisation]
  }

  project(index: number): Project {
    const project = this.projects[index]
    if (!project) throw new Error(`There is no project ${index}`)
    return project
  }

  type(name: string): ItemType {
    const type = this.project(0).types.find((one) => one.name === name)
    if (!type) throw new Error(`There is no type ${name}`)
    return type
  }

  /** An item that exists and can be seen: not one of a project that is out of reach. */
  item(id: number): Item | undefined {
    const isThere = ({ project, visible, deleted }: Item) => visible && !deleted && this.projects.includes(project)
    return this.items.find((item) => item.id === id && isThere(item))
  }

  addProjects(count: number): void {
    for (let index = 0; index < count; index += 1) this.projects.push(projectNamed(`Project ${index}`))
  }

  add(project: Project, type: ItemType, fields: Record<string, unknown>, relations: Item['relations']): Item {
    const item: Item = {
      id: this.items.length + 1,
      rev: 1,
      project,
      type,
      fields,
      relations,
      comments: [],
      listed: !this.lagging,
      deleted: false,
      visible: true,
    }
    this.items.push(item)
    return item
  }

  comment(item: Item, text: string): Comment {
    this.#lastComment += 1
    const comment = { id: this.#lastComment, text }
    item.comments.push(comment)
    return comment
  }

  lag(on: boolean): void {
    this.lagging = on
    if (!on) for (const item of this.items) item.listed = true
  }
}

/** Whether an item is in a state of one of these categories. */
export function isClosed({ fields, type }: Item): boolean {
  const known = type.states.find(({ name }) => name === fields['System.State'])
  return known?.category === 'Completed' || known?.category === 'Removed'
}
