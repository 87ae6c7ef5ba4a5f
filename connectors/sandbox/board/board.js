const POLL_MS = 1500
const columns = document.getElementById('columns')
let shown = null

/** Requests the cards and shows them if they changed; the button that has the focus keeps it. */
async function refresh() {
  const html = await (await fetch('/columns')).text()
  if (html === shown) return
  shown = html
  const focused = document.activeElement?.getAttribute('aria-label')?.replace(/^\w+ /, '')
  columns.innerHTML = html
  if (!focused) return
  for (const button of columns.querySelectorAll('button')) {
    if (button.getAttribute('aria-label')?.endsWith(` ${focused}`)) button.focus()
  }
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
