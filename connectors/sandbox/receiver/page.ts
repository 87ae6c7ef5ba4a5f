import { counted } from '../../kit/text/counted.ts'
import type { Received } from './received.ts'

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes text for HTML, in content and in quoted attributes. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? character)
}

/** The whole page. With `revision` the script requests only newer events. */
export function pageHtml(events: readonly Received[], revision: number): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Webhook receiver</title>
<link rel="stylesheet" href="/receiver.css">
<link rel="icon" href="data:,">
<script type="module" src="/receiver.js"></script>
</head>
<body>
<header>
<h1>Webhook receiver</h1>
<p>It stands in for your own system. Each delivery is verified with the Standard Webhooks library before it is shown.</p>
</header>
<main id="events" data-revision="${revision}">${eventsHtml(events)}</main>
</body>
</html>`
}

/** The part of the page that changes. */
export function eventsHtml(events: readonly Received[]): string {
  if (events.length === 0) {
    return '<p class="empty">Nothing has arrived yet. An insight comes once enough customers have said it.</p>'
  }
  const insights = new Set(events.flatMap((event) => event.payload?.data.insight.id ?? [])).size
  const verified = events.filter((event) => event.verified === true).length
  const repeats = events.reduce((sum, event) => sum + event.repeats, 0)
  return `<dl class="counts">
${count('Events', events.length)}${count('Insights', insights)}${count('Verified', verified)}${count('Repeats', repeats)}
</dl>
<ol class="events">${events.map(eventHtml).join('')}</ol>`
}

const count = (name: string, value: number) => `<div><dt>${name}</dt><dd>${value}</dd></div>`

const kinds: Record<string, string> = {
  'insight.created': 'New insight',
  'insight.updated': 'Update',
  'insight.test': 'Test',
}

function eventHtml(event: Received): string {
  const { payload } = event
  const name = payload?.data.insight.issue_name ?? 'Unreadable event'
  const kind = payload ? (kinds[payload.type] ?? payload.type) : 'Problem'
  return `<li class="event" data-kind="${escapeHtml(payload?.type ?? 'problem')}">
<p class="meta"><span class="kind">${escapeHtml(kind)}</span> <time datetime="${event.at.toISOString()}">${clock(event.at)}</time>
${signatureHtml(event)}${event.repeats > 0 ? ` <span class="repeats">came ${event.repeats + 1} times, counted once</span>` : ''}</p>
<h2>${escapeHtml(name)}</h2>
${event.problem ? `<p class="problem">${escapeHtml(event.problem)}</p>` : ''}${payload ? payloadHtml(payload) : ''}
<details data-event="${escapeHtml(event.id)}"><summary>JSON</summary><pre>${escapeHtml(pretty(event.raw))}</pre></details>
</li>`
}

const clock = (at: Date) => at.toTimeString().slice(0, 8)

function signatureHtml({ verified, accepted, tries }: Received): string {
  const failed = accepted ? '' : ` <span class="repeats">not taken yet, ${counted(tries, 'try', 'tries')}</span>`
  if (verified === null) return `<span class="signature">signature not checked</span>${failed}`
  return verified
    ? `<span class="signature good">✓ signature verified</span>${failed}`
    : '<span class="signature bad">✗ signature not verified</span>'
}

function payloadHtml({ data }: NonNullable<Received['payload']>): string {
  const { insight, evidence, new_mentions } = data
  const mentions = counted(insight.mention_count, 'mention')
  const people = counted(insight.people_count, 'person', 'people')
  const quotes = evidence
    .slice(0, 5)
    .map(
      (quote) =>
        `<blockquote>${escapeHtml(quote.text)}<cite>${escapeHtml(quote.author ?? 'Unknown')}</cite></blockquote>`,
    )
    .join('')
  return `<p class="summary">${escapeHtml(insight.summary)}</p>
<p class="numbers">#${insight.issue_number} · ${mentions} (${new_mentions} new) · ${people}</p>
${quotes}`
}

function pretty(raw: string): string {
  try {
    return JSON.stringify(JSON.parse(raw), null, 2)
  } catch {
    return raw
  }
}
