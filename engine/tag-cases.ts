/** A tag and insights of an invented company, each with the value that a careful reader would set; null for none. */
export type TagCases = {
  tag: { name: string; description: string }
  cases: readonly (readonly [name: string, quotes: readonly string[], value: string | null])[]
}

/** Seen while the rules were written. */
export const seenCases: readonly TagCases[] = [
  {
    tag: {
      name: 'Area',
      description: 'One of Billing, Login or Export: which part of the product the feedback is about.',
    },
    cases: [
      ['CSV export fails for large reports', ['The export fails', 'CSV export dies at 10,000 rows'], 'Export'],
      ['I was charged twice', ['My card was charged twice', 'Two payments for one invoice'], 'Billing'],
      ['Cannot sign in since Monday', ['cannot log in', 'sign in loops back to the start'], 'Login'],
      ['The map is blank', ['the map shows nothing', 'blank map on start'], null],
      ['Exprot stops half way', ['exprot stops', 'the exprot is cut off'], 'Export'],
    ],
  },
  {
    tag: {
      name: 'Severity',
      description: 'blocker when nothing works, major when there is a workaround, minor for typos, colours and looks',
    },
    cases: [
      ['Nothing works after the update', ['nothing works here', 'since the update nothing works'], 'blocker'],
      ['There is a typo on the welcome page', ['typo in the second line', 'small typo'], 'minor'],
      ['The list is sorted wrongly', ['wrong order', 'sorted by id'], null],
      ['The workaround is to reload', ['we reload as a workaround', 'a workaround is to open it twice'], 'major'],
    ],
  },
  {
    tag: {
      name: 'Kind',
      description:
        'Bug: something that used to work is broken; Feature request: something that people wish for; Question: people do not know how',
    },
    cases: [
      ['The printer driver crashes', ['it crashes on start', 'crashes whenever I print'], 'Bug'],
      ['Please add a dark mode', ['please add a dark mode', 'would love a dark mode'], 'Feature request'],
      ['How do I change my address', ['how do I change my address?', 'where can I set another address'], 'Question'],
      ['The waiter at the fair was kind', ['nice waiter', 'what a kind person'], null],
    ],
  },
  {
    tag: { name: 'Billing', description: 'Everything about invoices, payments and what they cost, but not salaries' },
    cases: [
      ['Invoices arrive late', ['my invoice is late', 'invoices come weeks late'], 'Billing'],
      ['Salaries and payments are mixed up', ['salaries and payments in one list'], null],
      ['Search finds nothing', ['search is empty', 'nothing found'], null],
    ],
  },
  {
    tag: { name: 'Sprache', description: 'Eines von: Rechnung, Lieferung oder Anmeldung, je nachdem worum es geht' },
    cases: [
      ['Die Rechnungsnummer fehlt', ['auf der Rechnung fehlt die Nummer', 'Rechnungsnummer fehlt'], 'Rechnung'],
      ['Lieferung kommt zu spät', ['die Lieferung kam zwei Tage zu spät', 'späte Lieferungen'], 'Lieferung'],
      ['Die Karte lädt nicht', ['die Karte bleibt leer', 'Karte lädt nicht'], null],
    ],
  },
]

/** Written before the rules were first measured; what came out then is in docs/benchmarks/tags.md. */
export const unseenCases: readonly TagCases[] = [
  {
    tag: {
      name: 'Department',
      description:
        'Which team should look at it: Kitchen (food, taste, cold meals), Drivers (late deliveries, wrong address, courier) or Payments (refunds, vouchers, double charges)',
    },
    cases: [
      ['The soup arrives cold', ['soup was cold again', 'cold meals every Friday', 'my lunch was cold'], 'Kitchen'],
      ['The courier rang at the wrong house', ['courier went to the wrong address', 'wrong address again'], 'Drivers'],
      ['My voucher was not accepted', ['voucher refused at checkout', 'the vouchers do not apply'], 'Payments'],
      ['Still waiting for my refund', ['refund not here after 10 days', 'where is my refund?'], 'Payments'],
      ['Please offer vegan desserts', ['more vegan desserts please', 'vegan cake?'], null],
      ['App asks for my location every time', ['location prompt each time', 'it asks for location again'], null],
    ],
  },
  {
    tag: {
      name: 'Pet',
      description: 'Is the feedback about dogs, cats or horses? Leave it empty if no animal is named.',
    },
    cases: [
      ['My dog does not like the new biscuits', ['the dog leaves them', 'both dogs refuse the biscuits'], null],
      ['Delivery takes a week', ['a week for a parcel', 'slow delivery'], null],
    ],
  },
  {
    tag: { name: 'Animal', description: 'Either Dogs, Cats or Horses. The animal the customer talks about.' },
    cases: [
      ['My dog does not like the new biscuits', ['the dog leaves them', 'both dogs refuse the biscuits'], 'Dogs'],
      ['Cat litter bags are torn', ['torn bag of cat litter', 'two bags torn, cat litter all over'], 'Cats'],
      [
        'Horse blankets are too short',
        ['blanket too short for my horse', 'sizes of horse blankets are wrong'],
        'Horses',
      ],
      ['Dogs and cats get the same flea drops', ['same drops for dogs and cats', 'cats and dogs differ'], null],
      ['Parcel left in the rain', ['box was wet', 'left in the rain'], null],
    ],
  },
  {
    tag: {
      name: 'Churn risk',
      description: 'Set when customers say that they will cancel, or are switching to a competitor',
    },
    cases: [
      ['We will cancel at the end of the month', ['we will cancel', 'cancelling if this is not fixed'], 'Churn risk'],
      ['Thinking of switching to another bank', ['switching to a competitor', 'my switch is planned'], 'Churn risk'],
      ['Card was declined abroad', ['card declined in Rome', 'declined at the hotel'], null],
      ['The light switch in the lobby is dead', ['light switch is dead', 'switch does nothing'], null],
    ],
  },
  {
    tag: {
      name: 'Step',
      description:
        '- Booking: finding and reserving a slot\n- Visit: the waiting room, doctors and nurses\n- Results: lab values, letters and prescriptions',
    },
    cases: [
      ['The waiting room is overcrowded', ['no seat in the waiting room', 'two hours in the waiting room'], 'Visit'],
      [
        'Lab values are shown without units',
        ['lab values have no unit', 'which unit are the lab values in?'],
        'Results',
      ],
      ['No slot can be reserved on Mondays', ['cannot reserve a slot', 'booking shows no slot on Monday'], 'Booking'],
      [
        'Prescription is not at the pharmacy',
        ['prescription never reached the pharmacy', 'no prescription'],
        'Results',
      ],
      ['Parking is expensive', ['parking costs 8 euros', 'expensive parking'], null],
    ],
  },
  {
    tag: {
      name: 'Accessibility',
      description: 'Anything that makes it hard for people with screen readers, low vision or keyboards',
    },
    cases: [
      [
        'Screen reader skips the price',
        ['my screen reader skips the price', 'VoiceOver does not read it'],
        'Accessibility',
      ],
      ['The screen of the till flickers', ['screen flickers', 'flickering screen at till 3'], null],
      [
        'Cannot reach the menu by keyboard',
        ['menu cannot be reached by keyboard', 'keyboard focus is lost'],
        'Accessibility',
      ],
    ],
  },
  {
    tag: {
      name: 'Zona',
      description: 'Una de: Pagos, Envíos o Devoluciones, según la parte de la tienda de la que se habla',
    },
    cases: [
      ['Los envíos llegan tarde', ['mi envío llegó tarde', 'envíos con retraso'], 'Envíos'],
      ['La devolución no se procesa', ['devoluciones sin respuesta', 'mi devolución sigue pendiente'], 'Devoluciones'],
      ['La página es lenta', ['muy lenta', 'tarda en cargar'], null],
    ],
  },
  {
    tag: {
      name: 'Bereich',
      description:
        'Welcher Bereich: "Fahrrad" bei Bremsen und Ketten, "Akku" bei Laden und Reichweite, "Schloss" bei Öffnen und Abschließen',
    },
    cases: [
      ['Die Reichweite ist zu kurz', ['Reichweite nur 20 km', 'die Reichweite stimmt nicht'], 'Akku'],
      ['Bremsen quietschen', ['die Bremsen quietschen', 'Bremse schleift'], 'Fahrrad'],
      ['Die App zeigt falsche Preise', ['falscher Preis', 'Preise stimmen nicht'], null],
    ],
  },
  {
    tag: {
      name: 'Sentiment',
      description: 'Choose one of Happy, Neutral and Angry, as the customers sound in their messages',
    },
    cases: [
      ['The new menu is confusing', ['I cannot find anything', 'confusing menu'], null],
      ['We are so angry about the queue', ['angry about the queue', 'everyone is angry'], 'Angry'],
    ],
  },
]

/** Tags for the demo company, with the value that each of its labelled issues should get; several where any is right. */
export const companyTags: readonly {
  tag: { name: string; description: string }
  values: Readonly<Record<string, string>>
}[] = [
  {
    tag: {
      name: 'Area',
      description:
        'The part of the product: Invoices (invoice, tax, VAT, subscription bill), Time tracking (timer, tracked hours, time entries), Reports (export, CSV, dashboard), Integrations (calendar, Jira, Xero, QuickBooks, DATEV, API) or Sign-in (SSO, password, locked out).',
    },
    values: {
      'csv-export-large-reports-fail': 'Reports',
      'sso-login-fails': 'Sign-in',
      'mobile-timer-stops-in-background': 'Time tracking',
      'invoice-tax-rounding-wrong': 'Invoices',
      'slow-dashboard-large-workspaces': 'Reports',
      'calendar-sync-duplicates-entries': 'Integrations',
      'bulk-edit-time-entries': 'Time tracking',
      'accounting-sync-drops-invoices': 'Integrations|Invoices',
      'invoice-pdf-custom-branding': 'Invoices',
      'api-rate-limit-too-low': 'Integrations',
      'seat-billing-confusing': 'Invoices',
      'timezone-shifts-entries': 'Time tracking',
      'datev-export-request': 'Integrations|Reports',
      'password-reset-email-never-arrives': 'Sign-in',
      'recurring-invoices-request': 'Invoices',
      'invoice-numbers-have-gaps': 'Invoices',
      'jira-entries-land-in-wrong-project': 'Integrations',
      'two-factor-codes-rejected': 'Sign-in',
      'offline-mode-entries-lost': 'Time tracking',
    },
  },
  {
    tag: {
      name: 'Mobile',
      description: 'Everything that happens in the mobile app: on an iPhone, on Android or on a phone',
    },
    values: { 'mobile-timer-stops-in-background': 'Mobile', 'android-widget-blank': 'Mobile' },
  },
  {
    tag: { name: 'Getting in', description: 'People cannot get in: the login, SSO, a password or a code is refused' },
    values: {
      'sso-login-fails': 'Getting in',
      'password-reset-email-never-arrives': 'Getting in',
      'two-factor-codes-rejected': 'Getting in',
    },
  },
  {
    tag: {
      name: 'Kind',
      description: 'Bug when something is broken, fails or gets lost. Request when people wish for something new.',
    },
    values: {
      'csv-export-large-reports-fail': 'Bug',
      'sso-login-fails': 'Bug',
      'mobile-timer-stops-in-background': 'Bug',
      'invoice-tax-rounding-wrong': 'Bug',
      'slow-dashboard-large-workspaces': 'Bug',
      'calendar-sync-duplicates-entries': 'Bug',
      'dark-mode-request': 'Request',
      'bulk-edit-time-entries': 'Request',
      'accounting-sync-drops-invoices': 'Bug',
      'approval-reminders-missing': 'Bug',
      'offline-mode-entries-lost': 'Bug',
      'invoice-pdf-custom-branding': 'Request',
      'api-rate-limit-too-low': 'Request|Bug',
      'datev-export-request': 'Request',
      'password-reset-email-never-arrives': 'Bug',
      'search-misses-old-projects': 'Bug',
      'recurring-invoices-request': 'Request',
      'jira-entries-land-in-wrong-project': 'Bug',
      'notification-email-flood': 'Request',
      'receipt-upload-fails': 'Bug',
      'invoice-numbers-have-gaps': 'Bug',
      'two-factor-codes-rejected': 'Bug',
    },
  },
]
