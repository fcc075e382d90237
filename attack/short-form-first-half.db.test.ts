import { testShortForm } from './run-short-form.ts';
import { HALVES } from './subjects.ts';

testShortForm(HALVES[0] ?? []);
