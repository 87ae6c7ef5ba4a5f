/** A message of the demo company: its id, author, their company, minutes before the last one, and its text. */
type SampleMessage = readonly [id: string, author: string, company: string, ago: number, text: string]

const FILE = '/sample-feedback.json'
const NAME = 'sample-feedback.csv'

/**
 * Feedback of the made-up company that the demo shows, as a file to import: the last message was said just now. Throws if the server does not have
 * it.
 */
export async function sampleFile(now = Date.now()): Promise<File> {
  const answer = await fetch(FILE)
  if (!answer.ok) throw new Error('The sample could not be loaded.')
  const messages = (await answer.json()) as SampleMessage[]
  return new File([csvOf(messages, now)], NAME, { type: 'text/csv' })
}

function csvOf(messages: readonly SampleMessage[], now: number): string {
  const rows = messages.map(([id, author, company, ago, text]) =>
    [id, new Date(now - ago * 60_000).toISOString(), author, company, text].map(quoted).join(','),
  )
  return ['id,date,author,company,text', ...rows, ''].join('\r\n')
}

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
