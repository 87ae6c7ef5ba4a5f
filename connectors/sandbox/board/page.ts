import type { Card, Column } from '../demo-provider.ts'
import { escapeHtml } from '../page.ts'

/** The whole page. Its script keeps it current; without the script, it is as it was when it was opened. */
export function boardHtml(columns: readonly Column[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Trackers</title>
<link rel="stylesheet" href="/board.css">
<link rel="icon" href="data:,">
<script type="module" src="/board.js"></script>
</head>
<body>
<header>
<h1>Trackers</h1>
<p>What the stand-ins of the trackers hold. Close a card, and its insight is resolved.</p>
</header>
<main id="columns">${columnsHtml(columns)}</main>
</body>
</html>`
}

/** The part of the page that changes. */
export function columnsHtml(columns: readonly Column[]): string {
  return columns
    .map(({ id, label, board }) => {
      const cards = board.cards().toReversed()
      const list = cards.map((card) => cardHtml(id, card)).join('')
      const empty = '<p class="empty">No cards yet. One comes with each insight that is pushed.</p>'
      return `<section aria-label="${escapeHtml(label)}">
<h2>${escapeHtml(label)} <span class="count">${cards.length}</span></h2>
${cards.length === 0 ? empty : `<ul>${list}</ul>`}
</section>`
    })
    .join('')
}

function cardHtml(tracker: string, { id, label, title, open }: Card): string {
  const verb = open ? 'Close' : 'Reopen'
  return `<li class="card" data-open="${open}">
<p class="meta">${escapeHtml(label)}${open ? '' : ' · closed'}</p>
<h3>${escapeHtml(title)}</h3>
<form method="post" action="/">
<input type="hidden" name="tracker" value="${escapeHtml(tracker)}">
<input type="hidden" name="card" value="${escapeHtml(id)}">
<button name="to" value="${open ? 'closed' : 'open'}" aria-label="${verb} ${escapeHtml(label)}">${verb}</button>
</form>
</li>`
}
