/** Two people and a tile with a T. */
export function TeamsLogo() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden>
      <circle cx="19.4" cy="6.6" r="2.3" fill="#5059c9" />
      <path d="M16.6 10h6.1c.5 0 .8.4.8.8v4.9a3.6 3.6 0 0 1-6.4 2.2z" fill="#5059c9" />
      <circle cx="13.4" cy="4.9" r="3.1" fill="#7b83eb" />
      <path d="M8.4 10h9.3c.5 0 .9.4.9.9v6.2a5.4 5.4 0 0 1-10.7 1z" fill="#7b83eb" />
      <rect x=".5" y="6.6" width="11.4" height="11.4" rx="1.4" fill="#4b53bc" />
      <path d="M3.4 9.4h5.7v1.6H7.1v4.9H5.4V11h-2z" fill="#fff" />
    </svg>
  )
}
