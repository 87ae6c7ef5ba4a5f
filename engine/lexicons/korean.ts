import { words } from './words.ts'

/** Written together with the noun before them. */
export const KOREAN_PARTICLES = words(
  `은 는 이 가 을 를 의 에 로 으로 와 과 도 만 나 이나 에서 에는 에도 에서는 에서도 으로는 에게 에게서 한테 까지 부터 처럼 보다 마다 라고 이라 이라고`,
)

/** Endings of verbs and adjectives, polite and plain, with what connects them to the next clause. */
export const KOREAN_ENDINGS = words(
  `습니다 았습니다 었습니다 였습니다 했습니다 겠습니다 합니다 됩니다 입니다 니다 어요 아요 여요 해요 되요 돼요 네요 나요 까요 지요 죠 요 세요 으세요 하세요 십시오
  어서 아서 해서 하면 되면 으면 면 하고 고 지만 지 해 게 던 다`,
)
