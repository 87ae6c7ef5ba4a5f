import { DIGEST_KINDS, type DigestKind } from '@groundswell/contract/digests.ts'
import { escaped } from '../../platform/html.ts'
import { oneLine } from '../../platform/one-line.ts'
import type { DigestPart } from './content.ts'

/** A mail as it is written. */
export type Written = { subject: string; text: string; html: string }

/** Where a mail's links lead: the product, and its own address to unsubscribe. */
export type Links = { site: string; unsubscribe: string }

type About = { workspace: string; since: Date; timeZone: string; frequency: DigestKind }

/** Writes a digest; `parts`: null: nothing happened, as only a preview says. */
export function writeDigest(parts: readonly DigestPart[] | null, about: About, links: Links): Written {
  const counts = (parts ?? []).map(({ counted, lines, more }) => `${lines.length + more} ${counted}`)
  const subject = parts ? `Groundswell: ${counts.join(', ')}` : 'Groundswell: nothing new'
  const lead = `${about.workspace}, since ${momentText(about.since, about.timeZone)}`
  const end = {
    why: `You get this ${DIGEST_KINDS[about.frequency].every} if there is something to report.`,
    kind: 'digest',
  }
  return { subject, ...writeParts(parts ?? [], { lead, end }, links) }
}

/** Writes a mail with alerts. */
export function writeAlerts(parts: readonly DigestPart[] | null, workspace: string, links: Links): Written {
  const lines = (parts ?? []).flatMap((part) => part.lines)
  const [first] = lines
  const subject = first
    ? `Groundswell: ${oneLine(first.name)}${lines.length > 1 ? ` and ${lines.length - 1} more` : ''}`
    : 'Groundswell: no alerts'
  const end = { why: 'You get this because you turned on alerts.', kind: 'alerts' }
  return { subject, ...writeParts(parts ?? [], { lead: workspace, end }, links) }
}

/** The title of the part with what was assigned to the person. */
export const ASSIGNED_TITLE = 'Assigned to you'

/** Writes a mail about what was assigned to a person, and where they were mentioned. */
export function writeNotices(parts: readonly DigestPart[], workspace: string, links: Links): Written {
  const lines = parts.flatMap((part) => part.lines)
  const counts = parts.map((part) => `${part.lines.length + part.more} ${part.counted}`)
  const [only] = lines
  const name = oneLine(only?.name ?? '')
  const one = parts[0]?.title === ASSIGNED_TITLE ? `${name} is assigned to you` : `you were mentioned in ${name}`
  const subject = `Groundswell: ${lines.length === 1 ? one : counts.join(', ')}`
  const end = {
    why: 'You get this because somebody in your workspace assigned this to you or mentioned you.',
    kind: 'mails about assignments and mentions',
  }
  return { subject, ...writeParts(parts, { lead: workspace, end }, links) }
}

type Frame = { lead: string; end: { why: string; kind: string } }

/** Both versions of a mail. No remote parts, and no style sheets, which mail programs and a preview may drop. */
function writeParts(
  parts: readonly DigestPart[],
  { lead, end }: Frame,
  { site, unsubscribe }: Links,
): Omit<Written, 'subject'> {
  const address = (number: number, tab?: string) => `${site}/insights?issue=${number}${tab ? `&tab=${tab}` : ''}`
  const settings = `${site}/settings/notifications`
  const text = [
    lead,
    ...parts.flatMap(({ title, lines, more, tab }) => [
      '',
      title.toUpperCase(),
      ...lines.flatMap(({ number, name, note }) => [`- ${oneLine(name)} (${note})`, `  ${address(number, tab)}`]),
      ...(more > 0 ? [`- and ${more} more: ${site}/insights`] : []),
    ]),
    ...(parts.length === 0 ? ['', 'Nothing new.'] : []),
    '',
    end.why,
    `Change it: ${settings}`,
    `Unsubscribe: ${unsubscribe}`,
    '',
  ].join('\n')
  const html = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"></head>',
    '<body bgcolor="#ffffff" text="#1c1c1a" link="#1f5fbf" vlink="#1f5fbf">',
    '<table role="presentation" width="100%" cellpadding="8" cellspacing="0"><tr><td>',
    `<font face="Helvetica, Arial, sans-serif" size="2"><p><font color="#5c5c57">${escaped(lead)}</font></p>`,
    ...parts.map(
      ({ title, lines, more, tab }) =>
        `<h2><font size="3">${escaped(title)}</font></h2><ul>${lines
          .map(
            ({ number, name, note }) =>
              `<li><p><a href="${escaped(address(number, tab))}" dir="auto">${escaped(oneLine(name))}</a><br><font color="#5c5c57">${escaped(note)}</font></p></li>`,
          )
          .join('')}${more > 0 ? `<li><p><a href="${escaped(site)}/insights">and ${more} more</a></p></li>` : ''}</ul>`,
    ),
    ...(parts.length === 0 ? ['<p>Nothing new.</p>'] : []),
    `<p><font color="#5c5c57">${escaped(end.why)}<br><a href="${escaped(settings)}">Change it</a> or <a href="${escaped(unsubscribe)}">unsubscribe from the ${end.kind}</a>.</font></p>`,
    '</font></td></tr></table></body></html>',
  ].join('\n')
  return { text, html }
}

function momentText(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
  }).format(at)
}
