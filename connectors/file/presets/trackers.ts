import { nameOf } from '../names.ts'
import type { Preset } from './preset.ts'

/** Trackers and boards: an entry has a title and, often, nothing else. The assignee is not its author. */
export const trackers: readonly Preset[] = [
  {
    // Export → CSV: a column for each comment and each label, all with one name. Comments are our own people's.
    label: 'Jira',
    has: [['summary'], ['issue_key'], ['issue_id', 'issue_type', 'project_key', 'status']],
    columns: {
      title: ['summary'],
      text: ['description', 'summary'],
      author: ['reporter', 'reporter_name', 'creator'],
      date: ['created'],
      id: ['issue_key'],
    },
  },
  {
    // Settings → Import/Export → Export CSV: also from a view.
    label: 'Linear',
    has: [
      ['id'],
      ['title'],
      ['description'],
      ['creator'],
      ['team', 'status'],
      ['cycle_number', 'project_id', 'parent_issue'],
    ],
    columns: {
      title: ['title'],
      text: ['description'],
      author: ['creator'],
      date: ['created'],
      id: ['id'],
      link: ['url'],
    },
  },
  {
    // `gh issue list --json`, the REST API, and tools that write either as CSV.
    label: 'GitHub',
    has: [
      ['number', 'issue_number'],
      ['title', 'issue_title'],
      ['body', 'issue_body'],
      ['url', 'html_url', 'state', 'labels', 'assignees', 'milestone', 'issue_state', 'issue_labels'],
    ],
    columns: {
      title: ['title', 'issue_title'],
      text: ['body', 'issue_body'],
      author: ['author_login', 'user_login', 'author', 'user', 'issue_user'],
      date: ['created_at', 'issue_created_at'],
      link: ['html_url', 'url', 'issue_url'],
      id: ['url', 'html_url', 'number', 'issue_number'],
    },
  },
  {
    // Board → Export as CSV. It says when a card was used last, not when it was made.
    label: 'Trello',
    has: [['card_id'], ['card_name'], ['card_description'], ['list_name', 'list_id', 'board_id']],
    columns: {
      title: ['card_name'],
      text: ['card_description'],
      date: ['created*', 'last_activity_date'],
      link: ['card_url'],
      id: ['card_id'],
    },
  },
  {
    // The cards of a board that was exported as JSON. The address is that of the card for good.
    label: 'Trello',
    has: [['id'], ['name'], ['desc'], ['short_link', 'short_url', 'id_short'], ['id_list', 'id_board']],
    columns: { title: ['name'], text: ['desc'], date: ['date_last_activity'], link: ['short_url', 'url'], id: ['id'] },
  },
  {
    // Project → Export → CSV.
    label: 'Asana',
    has: [['task_id'], ['name'], ['notes'], ['section_column', 'projects', 'assignee', 'parent_task']],
    columns: { title: ['name'], text: ['notes'], date: ['created_at'], id: ['task_id'], author: ['created_by'] },
  },
  {
    // Project → Export → JSON, and the API.
    label: 'Asana',
    has: [['gid'], ['name'], ['notes'], ['resource_type', 'resource_subtype', 'permalink_url']],
    columns: {
      title: ['name'],
      text: ['notes'],
      author: ['created_by_name'],
      date: ['created_at'],
      link: ['permalink_url'],
      id: ['gid'],
    },
  },
  {
    // A database: its columns are the team's own, except for what Notion fills in.
    label: 'Notion',
    has: [
      ['name', 'title'],
      ['created_time', 'last_edited_time', 'erstellungszeit', 'date_de_création'],
      ['created_by', 'last_edited_by', 'status', 'tags', 'erstellt_von', 'créé_par'],
    ],
    fits: ([first = '']) => ['name', 'title'].includes(nameOf(first)),
    columns: {
      title: ['name', 'title'],
      text: ['description', 'feedback', 'details', 'content', 'message', 'notes', 'text', 'comment', 'body', 'quote'],
      author: ['customer', 'requester', 'author', 'email', 'reported_by', 'created_by', 'erstellt_von', 'créé_par'],
      date: ['created_time', 'erstellungszeit', 'date_de_création', 'created', 'date', 'last_edited_time'],
      link: ['url', 'link', 'source'],
    },
  },
  {
    // Admin → Export posts, and posts of the API. `score`: votes.
    label: 'Canny',
    has: [
      ['title', 'post_title'],
      ['details', 'post_details'],
      ['board', 'board_name', 'category', 'category_name'],
      ['votes', 'vote_count', 'score', 'upvotes', 'post_score'],
    ],
    columns: {
      title: ['title', 'post_title'],
      text: ['details', 'post_details'],
      author: ['author_name', 'author', 'author_email', 'post_author', 'user_name', 'user_email'],
      date: ['created', 'created_at', 'created_date', 'post_created', 'date'],
      link: ['url', 'post_url', 'link'],
      id: ['id', 'post_id', 'url', 'post_url', 'link'],
    },
  },
  {
    // Notes of the Insights board. Their owner is a colleague.
    label: 'Productboard',
    has: [
      ['title', 'note_title'],
      ['content', 'note_content', 'note_text', 'text'],
      ['user_email', 'customer_email', 'user_name', 'note_user_email'],
      ['display_url', 'source_url', 'owner_email', 'owner', 'note_owner', 'source_origin'],
    ],
    columns: {
      title: ['title', 'note_title'],
      text: ['content', 'note_content', 'note_text', 'text'],
      author: ['user_email', 'customer_email', 'note_user_email', 'user_name'],
      date: ['created_at', 'created', 'created_date', 'note_created_at'],
      link: ['display_url', 'source_url', 'url'],
      id: ['id', 'note_id', 'uuid'],
      customer: ['company_name', 'company', 'company_domain'],
    },
  },
]
