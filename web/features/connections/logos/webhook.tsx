/** Three ends hooked into each other. */
export function WebhookLogo() {
  return (
    <svg viewBox="0 0 24 24" fill="none" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round" aria-hidden>
      <path d="M18 16.9h-5.9c-.9 0-1.5.5-1.9 1.4a4.1 4.1 0 1 1-6.1-4.6" stroke="#0f6e6e" />
      <path d="m6 17 3.1-5.7c.5-.8.1-1.8-.4-2.5A4 4 0 1 1 15.9 6" stroke="#c73a63" />
      <path d="m12 6 3.2 5.6c.4.8 1.4 1 2.3 1a4 4 0 1 1-1.9 7.6" stroke="#4a4a4a" />
    </svg>
  )
}
