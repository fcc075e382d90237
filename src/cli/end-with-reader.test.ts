import { PassThrough } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { endWithReader } from './end-with-reader.ts';

const failed = (code: string) => Object.assign(new Error(`write ${code}`), { code });

test('a command whose output nobody reads any more ends as if by SIGPIPE, and any other failure is not hidden', () => {
  const [output, exit] = [new PassThrough(), vi.fn()];
  endWithReader(output, exit);
  output.emit('error', failed('EPIPE'));
  expect(exit.mock.calls).toEqual([[141]]);
  expect(() => output.emit('error', failed('ENOSPC'))).toThrow('write ENOSPC');
  expect(exit).toHaveBeenCalledTimes(1);
});
