export type Person = { id: number; login: string; type: 'User' | 'Bot' | 'Organization' }
export type Comment = { id: number; body: string; author: Person; at: number }
export type Issue = {
  id: number
  number: number
  title: string
  body: string
  state: 'open' | 'closed'
  reason: string | null
  labels: string[]
  assignees: string[]
  creator: Person
  createdAt: number
  updatedAt: number
  comments: Comment[]
  /** False: not in lists yet. */
  listed: boolean
  locked: boolean
  isPull: boolean
}
export type Repository = {
  id: number
  owner: Person
  name: string
  formerNames: string[]
  hasIssues: boolean
  archived: boolean
  /** The sign-in may not see it. */
  hidden: boolean
  /** The role of people in it. GitHub silently drops the labels and assignees of issues that readers create. */
  role: 'read' | 'triage' | 'write'
  labels: { id: number; name: string; description: string | null }[]
  assignees: string[]
  issues: Issue[]
  /** Numbers of issues that are no longer here: null: deleted. */
  left: Map<number, { repository: Repository; number: number } | null>
  lastNumber: number
}

/** Everything that the stand-in holds: people, repositories and their issues. */
export class Hub {
  readonly now: () => number
  readonly people = new Map<string, Person>()
  readonly repositories: Repository[] = []
  #lastId = 1000
  #lagging = false

  constructor(now: () => number) {
    this.now = now
    this.person('acme', 'Organization')
    const support = this.addRepository('acme', 'support')
    support.labels.push(
      { id: this.nextId(), name: 'feedback', description: 'From customers' },
      { id: this.nextId(), name: 'bug', description: null },
    )
    support.assignees.push('ann', 'ben')
    this.addRepository('acme', 'website')
    for (const login of ['ann', 'ben']) this.person(login)
  }

  nextId(): number {
    this.#lastId += 1
    return this.#lastId
  }

  person(login: string, type: Person['type'] = login.endsWith('[bot]') ? 'Bot' : 'User'): Person {
    const known = this.people.get(login) ?? { id: this.nextId(), login, type }
    this.people.set(login, known)
    return known
  }

  addRepository(owner: string, name: string): Repository {
    const repository: Repository = {
      id: this.nextId(),
      owner: this.person(owner),
      name,
      formerNames: [],
      hasIssues: true,
      archived: false,
      hidden: false,
      role: 'write',
      labels: [],
      assignees: [],
      issues: [],
      left: new Map(),
      lastNumber: 0,
    }
    this.repositories.push(repository)
    return repository
  }

  /** By `owner/name`, in any case. */
  find(fullName: string): Repository | undefined {
    const name = fullName.toLowerCase()
    return this.repositories.find((one) => `${one.owner.login}/${one.name}`.toLowerCase() === name)
  }

  /** A repository that had this name before. */
  findFormer(fullName: string): Repository | undefined {
    return this.repositories.find(({ owner, formerNames }) =>
      formerNames.some((name) => `${owner.login}/${name}` === fullName),
    )
  }

  rename(repository: Repository, name: string): void {
    repository.formerNames.push(repository.name)
    repository.name = name
  }

  open(repository: Repository, creator: Person, given: { title: string; body: string } & Partial<Issue>): Issue {
    repository.lastNumber += 1
    const issue: Issue = {
      id: this.nextId(),
      number: repository.lastNumber,
      state: 'open',
      reason: null,
      labels: [],
      assignees: [],
      createdAt: this.now(),
      updatedAt: this.now(),
      comments: [],
      listed: !this.#lagging,
      locked: false,
      isPull: false,
      ...given,
      creator,
    }
    repository.issues.push(issue)
    return issue
  }

  comment(issue: Issue, author: Person, body: string): Comment {
    const comment = { id: this.nextId(), body, author, at: this.now() }
    issue.comments.push(comment)
    return comment
  }

  /** An issue by the id of the API, wherever it is. */
  locate(id: string): { repository: Repository; issue: Issue } {
    for (const repository of this.repositories) {
      const issue = repository.issues.find((one) => String(one.id) === id)
      if (issue) return { repository, issue }
    }
    throw new Error(`There is no issue ${id}`)
  }

  setState(id: string, state: Issue['state'], reason: string | null): void {
    Object.assign(this.locate(id).issue, { state, reason, updatedAt: this.now() })
  }

  remove(id: string): void {
    const { repository, issue } = this.locate(id)
    repository.issues.splice(repository.issues.indexOf(issue), 1)
    repository.left.set(issue.number, null)
  }

  /** The issue gets a new id and number; its old address leads to the new one. */
  transfer(id: string, target: Repository): Issue {
    const { repository, issue } = this.locate(id)
    this.remove(id)
    const moved = this.open(target, issue.creator, { ...issue, id: this.nextId(), number: target.lastNumber + 1 })
    repository.left.set(issue.number, { repository: target, number: moved.number })
    return moved
  }

  /** While true, new issues are not in lists. */
  lag(on: boolean): void {
    this.#lagging = on
    if (!on) for (const { issues } of this.repositories) for (const issue of issues) issue.listed = true
  }
}
