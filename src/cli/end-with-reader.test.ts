import { PassThrough } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { endWithReader } from './end-with-reader.ts';

const failed = (code: string) => Object.assign(new Error(`write ${code}`), { code });

test('a command whose output nobody reads any more ends as if by SIGPIPE, and one whose output can’t be written says so in one line', () => {
  const [output, exit] = [new PassThrough(), vi.fn()];
  const said = vi.spyOn(console, 'error').mockReturnValue();
  endWithReader(output, exit);
  output.emit('error', failed('EPIPE'));
  expect(exit.mock.calls).toEqual([[141]]);
  expect(said).not.toHaveBeenCalled();
  output.emit('error', failed('ENOSPC'));
  expect(exit.mock.calls).toEqual([[141], [1]]);
  expect(said.mock.calls).toEqual([[expect.stringMatching(/^trilho: Standard output can't be written \(ENOSPC\): /)]]);
  said.mockRestore();
});
