/**
 * What a request was about: the first word of its route behind `/payments`; `other` where no route
 * has its path, as there are as many of these as a caller types.
 */
export const familyOf = (template: string): string => /^(?:\/payments)?\/([a-z]+)/.exec(template)?.[1] ?? 'other';
