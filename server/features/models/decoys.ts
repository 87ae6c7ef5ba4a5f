/**
 * Messages that say nothing about any product. A reply that finds something in one of them is not believed at all: the model says yes to
 * everything, or obeys one of the messages.
 */
export const DECOYS = [
  'Our office moved to the second floor last week.',
  'My sister plays the violin on Sundays.',
  'It rained all day when we went hiking.',
  'The bakery at the corner is closed in August.',
  'We watched an old film about lighthouses yesterday.',
  'His bicycle is red and has two bells.',
  'Tulips grow well in the shade behind our house.',
  'They served lentil soup at the wedding.',
] as const
