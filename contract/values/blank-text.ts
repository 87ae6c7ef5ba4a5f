const VISIBLE = /[^\s\p{Default_Ignorable_Code_Point}\p{Cc}\u2800]/u

/** Whether a text shows nothing: it is empty, or has only spaces and characters without a width, such as U+200B. */
export const isBlank = (text: string): boolean => !VISIBLE.test(text)
