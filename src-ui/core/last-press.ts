/** Whether the last press in a listing was by touch; before the first one, whether this is mainly a device for touch. */
export const lastPress = { isTouch: globalThis.matchMedia?.('(pointer: coarse)').matches ?? false }
