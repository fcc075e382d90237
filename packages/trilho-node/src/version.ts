/** The version of this library, as its package has it. */
export const VERSION = '0.1.0';
