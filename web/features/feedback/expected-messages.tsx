import type { Expected } from '@groundswell/contract/feedback.ts'
import { OutsideLink } from '../../ui/outside-link.tsx'
import { saidText } from '../../ui/text/moment.ts'

/** The first messages of a file, as they will look once they are imported. */
export function ExpectedMessages({ samples }: { samples: Expected['samples'] }) {
  if (samples.length === 0) return null
  return (
    <section className="mt-5" aria-labelledby="expected-messages">
      <h3 id="expected-messages" className="font-semibold">
        How they will look
      </h3>
      <ul className="mt-2 rounded border border-line px-4">
        {samples.map(({ text, author, customer, place, date, date_only, link }, index) => (
          <li key={index} className="border-b border-line py-3 last:border-0">
            <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-small text-muted">
              <span dir="auto" className="max-w-60 truncate font-medium text-text">
                {author ?? 'Unknown author'}
              </span>
              {customer ? (
                <span dir="auto" className="max-w-48 truncate">
                  {customer}
                </span>
              ) : null}
              <span>{saidText({ date: date ?? '', date_known: date !== null, date_only })}</span>
              {place ? (
                <span dir="auto" className="max-w-48 truncate">
                  {place}
                </span>
              ) : null}
              <OutsideLink address={link} className="rounded-small text-accent hover:underline">
                Open
              </OutsideLink>
            </p>
            <blockquote dir="auto" className="mt-1 line-clamp-4 break-words whitespace-pre-wrap">
              {text}
            </blockquote>
          </li>
        ))}
      </ul>
    </section>
  )
}
