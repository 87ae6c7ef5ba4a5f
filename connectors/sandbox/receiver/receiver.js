const POLL_MS = 1500
const events = document.getElementById('events')

/** Requests new events and shows them; details that were open stay open. */
async function refresh() {
  const response = await fetch(`/events?since=${events.dataset.revision}`)
  if (response.status !== 200) return
  const open = new Set([...events.querySelectorAll('details[open]')].map((element) => element.dataset.event))
  events.innerHTML = await response.text()
  events.dataset.revision = response.headers.get('x-revision') ?? '0'
  for (const element of events.querySelectorAll('details')) element.open = open.has(element.dataset.event)
}

async function loop() {
  try {
    await refresh()
    document.body.classList.remove('away')
  } catch {
    document.body.classList.add('away')
  }
  setTimeout(() => void loop(), POLL_MS)
}

setTimeout(() => void loop(), POLL_MS)
