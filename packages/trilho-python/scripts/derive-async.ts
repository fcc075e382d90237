/**
 * Derives the asynchronous resources from the source of the synchronous ones: the same methods with
 * `await`. Written by hand they would be the same text twice.
 */
export function deriveAsync(source: string): string {
  const classes = [...source.matchAll(/^class (\w+)/gm)].map(([, name = '']) => name);
  const renamed = new Set([...classes, 'Resource', 'Pages', 'SyncTransport']);
  return (
    source
      .replace(/^"""[\s\S]*?"""\n/, '# Generated from the same file of _resources when the library is built.\n')
      // Not at the beginning of a docstring.
      .replace(/(?<!")\b[A-Z]\w+\b/g, (name) => (renamed.has(name) ? asyncName(name) : name))
      .replace(/^( +)(def (\w+)\([\s\S]*?\) -> (\S+))/gm, (_, indent, head, name, type) =>
        // A method that returns pages requests nothing yet.
        name === '__init__' || type.startsWith('AsyncPages[') ? indent + head : `${indent}async ${head}`,
      )
      .replace(/= self\._transport\.request\(/g, '= await self._transport.request(')
      .replace(/return self\._transactions\./g, 'return await self._transactions.')
      .replace(/`for` /g, '`async for` ')
      // The derived file is one folder deeper, in _generated itself.
      .replace(/^( *)from \.\._generated\.?/gm, '$1from ..')
      .replace(/^( *)from \.\.(?=_)/gm, '$1from ...')
  );
}

const asyncName = (name: string): string => `Async${name.replace(/^Sync/, '')}`;
