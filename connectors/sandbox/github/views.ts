import type { Comment, Issue, Person, Repository } from './hub.ts'

export type Json = Record<string, unknown>

const iso = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`
const nodeId = (kind: string, id: number) => `${kind}_${Buffer.from(String(id)).toString('base64url')}`
const suffixed = (base: string, names: Readonly<Record<string, string>>): Json =>
  Object.fromEntries(Object.entries(names).map(([name, path]) => [name, `${base}${path}`]))

export function personView(base: string, { id, login, type }: Person): Json {
  return {
    login,
    id,
    node_id: nodeId('U', id),
    gravatar_id: '',
    type,
    site_admin: false,
    html_url: `${base}/${login}`,
    ...suffixed(`${base}/users/${login}`, {
      avatar_url: '/avatar',
      url: '',
      followers_url: '/followers',
      following_url: '/following{/other_user}',
      gists_url: '/gists{/gist_id}',
      starred_url: '/starred{/owner}{/repo}',
      subscriptions_url: '/subscriptions',
      organizations_url: '/orgs',
      repos_url: '/repos',
      events_url: '/events{/privacy}',
      received_events_url: '/received_events',
    }),
  }
}

/** The person of a sign-in, with the public part of the profile. */
export function profileView(base: string, person: Person): Json {
  return {
    ...personView(base, person),
    name: person.login,
    company: null,
    blog: '',
    location: null,
    email: null,
    hireable: null,
    bio: null,
    public_repos: 0,
    public_gists: 0,
    followers: 0,
    following: 0,
    created_at: iso(0),
    updated_at: iso(0),
  }
}

export const fullName = ({ owner, name }: Pick<Repository, 'owner' | 'name'>) => `${owner.login}/${name}`
const repositoryUrl = (base: string, repository: Repository) => `${base}/repos/${fullName(repository)}`

/** The addresses of the resources of a repository: `contents_url` ends with `/contents`. */
const PARTS = `
  archive assignees blobs branches collaborators comments commits compare contents contributors
  deployments downloads events forks git_commits git_refs git_tags hooks issue_comment issue_events
  issues keys labels languages merges milestones notifications pulls releases stargazers statuses
  subscribers subscription tags teams trees clone git ssh svn
`
  .trim()
  .split(/\s+/)

export function repositoryView(base: string, repository: Repository): Json {
  const { id, owner, name, hasIssues, archived, issues } = repository
  const open = issues.filter(({ state }) => state === 'open').length
  const url = repositoryUrl(base, repository)
  return {
    id,
    node_id: nodeId('R', id),
    name,
    full_name: fullName(repository),
    owner: personView(base, owner),
    private: true,
    html_url: `${base}/${fullName(repository)}`,
    url,
    ...Object.fromEntries(PARTS.map((part) => [`${part}_url`, `${url}/${part}`])),
    description: null,
    fork: false,
    homepage: null,
    language: null,
    mirror_url: null,
    license: null,
    default_branch: 'main',
    forks: 0,
    forks_count: 0,
    stargazers_count: 0,
    watchers: 0,
    watchers_count: 0,
    network_count: 0,
    subscribers_count: 0,
    size: 0,
    open_issues: open,
    open_issues_count: open,
    has_issues: hasIssues,
    has_projects: false,
    has_wiki: false,
    has_pages: false,
    has_downloads: true,
    has_discussions: false,
    archived,
    disabled: false,
    topics: [],
    visibility: 'private',
    pushed_at: iso(0),
    created_at: iso(0),
    updated_at: iso(0),
  }
}

/** What the caller may do: of a person the role, of an installation nothing, whatever its permissions are. */
export function permissionsView({ role }: Repository, isPerson: boolean): Json {
  const push = isPerson && role === 'write'
  return { admin: false, maintain: false, push, triage: push || (isPerson && role === 'triage'), pull: isPerson }
}

export function labelView(base: string, repository: Repository, label: Repository['labels'][number]): Json {
  const { id, name, description } = label
  const url = `${repositoryUrl(base, repository)}/labels/${encodeURIComponent(name)}`
  return { id, node_id: nodeId('LA', id), url, name, description, color: 'ededed', default: false }
}

export function issueView(base: string, repository: Repository, issue: Issue, people: Map<string, Person>): Json {
  const { id, number, title, body, state, reason, comments, creator, locked, isPull } = issue
  const url = `${repositoryUrl(base, repository)}/issues/${number}`
  const assignees = issue.assignees.flatMap((login) => people.get(login) ?? []).map((one) => personView(base, one))
  const html = `${base}/${fullName(repository)}/${isPull ? 'pull' : 'issues'}/${number}`
  return {
    id,
    node_id: nodeId('I', id),
    number,
    title,
    body,
    state,
    state_reason: reason,
    locked,
    active_lock_reason: null,
    author_association: 'NONE',
    user: personView(base, creator),
    labels: issue.labels.map((name) =>
      labelView(
        base,
        repository,
        repository.labels.find((one) => one.name === name) ?? { id, name, description: null },
      ),
    ),
    assignee: assignees[0] ?? null,
    assignees,
    milestone: null,
    comments: comments.length,
    created_at: iso(issue.createdAt),
    updated_at: iso(issue.updatedAt),
    closed_at: state === 'closed' ? iso(issue.updatedAt) : null,
    html_url: html,
    repository_url: repositoryUrl(base, repository),
    ...suffixed(url, { url: '', comments_url: '/comments', events_url: '/events', labels_url: '/labels{/name}' }),
    timeline_url: `${url}/timeline`,
    reactions: reactionsView(url),
    ...(isPull ? { pull_request: { url, html_url: html, diff_url: `${html}.diff`, patch_url: `${html}.patch` } } : {}),
  }
}

const reactionsView = (url: string) => ({
  url: `${url}/reactions`,
  total_count: 0,
  ...Object.fromEntries(['+1', '-1', 'laugh', 'hooray', 'confused', 'heart', 'rocket', 'eyes'].map((one) => [one, 0])),
})

export function commentView(base: string, repository: Repository, issue: Issue, comment: Comment): Json {
  const { id, body, author, at } = comment
  const url = `${repositoryUrl(base, repository)}/issues`
  return {
    id,
    node_id: nodeId('IC', id),
    url: `${url}/comments/${id}`,
    html_url: `${base}/${fullName(repository)}/issues/${issue.number}#issuecomment-${id}`,
    issue_url: `${url}/${issue.number}`,
    user: personView(base, author),
    body,
    author_association: 'NONE',
    created_at: iso(at),
    updated_at: iso(at),
  }
}
