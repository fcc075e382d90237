/** A screen of what waits for the operator; further ones come up as these are decided. */
export const SHOWN_MAX = 200;
