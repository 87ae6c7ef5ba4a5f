/** A folded ribbon in the brand's blue. */
export function AzureLogo() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden>
      <path d="M23 5.3v13l-5.3 4.4-8.3-3v3L4.7 16.5l13.7 1.1V5.9z" fill="#0078d4" />
      <path d="M18.5 6 10.8 1.5v3.1L3.7 6.7 1 10.2v6.1l3.7 1.5V9.3z" fill="#2b9ff0" />
    </svg>
  )
}
