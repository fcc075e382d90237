'use client';

// A page that breaks keeps the panel around it: the same texts, inside the frame.
export { default } from '../error.tsx';
