/**
 * 8 MiB: a photo of a phone's camera or thirty scanned pages. An uploaded file is read into memory
 * whole, to inspect its structure.
 */
export const FILE_BYTES_MAX = 8 * 1024 * 1024;
