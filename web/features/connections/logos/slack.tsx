/** Four strokes and four drops in the brand's colours. */
export function SlackLogo() {
  return (
    <svg viewBox="0 0 24 24" fill="none" strokeWidth="4.6" strokeLinecap="round" aria-hidden>
      <path d="M9.2 3.3v5.9" stroke="#36c5f0" />
      <path d="M20.7 9.2h-5.9" stroke="#2eb67d" />
      <path d="M14.8 20.7v-5.9" stroke="#ecb22e" />
      <path d="M3.3 14.8h5.9" stroke="#e01e5a" />
      <path d="M3.3 9.2h.01" stroke="#36c5f0" />
      <path d="M14.8 3.3v.01" stroke="#2eb67d" />
      <path d="M20.7 14.8h-.01" stroke="#ecb22e" />
      <path d="M9.2 20.7v-.01" stroke="#e01e5a" />
    </svg>
  )
}
